"""A made study into the database and out again: load_study, import_labels, import_scores, and the exports of rows."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import peak

EXPORTS = ("judgments", "scores", "items")
IMPORTS = ("load_study", "import_labels", "import_scores")
LOOP = 3_000_000
HEAD = "| step | rows | s | CPU s | rows/s | peak MB | others waited, s |\n|---|---|---|---|---|---|---|"


def report(steps: Sequence[str], run: Callable[[str], dict[str, Any]], *, scores: int) -> None:
    print(f"A loop of {LOOP:,} steps takes {loop():.2f} CPU s on this machine now (0.2 on an idle core of 2023).\n")
    print(HEAD, flush=True)
    for step in steps:
        for part in parts_left(step, scores=scores):
            print(line(part, run), flush=True)


def parts_left(step: str, *, scores: int) -> list[str]:
    """Scores are a part a file, and nothing is loaded twice."""
    from annotation.models import Judgment, Study
    from bench.analysis.made_study import MODELS, SLUG
    from scoring.models import LanguageModel

    if step == "load_study":
        return [] if Study.objects.filter(slug=SLUG).exists() else [step]
    if step == "import_labels":
        return [] if Judgment.objects.filter(assignment__sitting__study__slug=SLUG).exists() else [step]
    if step == "import_scores":
        there = set(LanguageModel.objects.values_list("name", flat=True))
        return [f"{step} {n}" for n, (name, *_) in enumerate(MODELS[:scores], 1) if name not in there]
    return [step]


def line(step: str, run: Callable[[str], dict[str, Any]]) -> str:
    """A line of the table."""
    done, waits = threading.Event(), [0.0]
    probe = threading.Thread(target=keep_writing, args=(done, waits))
    if step.startswith("import"):
        probe.start()
    result = run(step)
    done.set()
    waited = ""
    if step.startswith("import"):
        probe.join()
        waited = f"{max(waits):.1f}"
    rate = result["rows"] / result["seconds"]
    return (
        f"| {step} | {result['rows']:,} | {result['seconds']:.1f} | {result['cpu']:.1f} | {rate:,.0f} "
        f"| {result['peak']:,} (before: {result['before']:,}) | {waited} |"
    )


def keep_writing(done: threading.Event, waits: list[float]) -> None:
    """What an annotator's answer must wait for: the study's lock, which on SQLite is the lock for writing."""
    from django.db import OperationalError, connection, transaction

    from annotation.models import Study

    while not done.is_set():
        started = time.monotonic()
        try:
            with transaction.atomic():
                list(Study.objects.select_for_update(no_key=True).values_list("pk"))
        except OperationalError as error:
            # An annotator would have been turned away.
            print(f"somebody else's write failed: {error}", flush=True)
        waits.append(time.monotonic() - started)
        time.sleep(0.1)
    connection.close()


def measured(step: str, folder: Path) -> dict[str, Any]:
    """Do it in this process: rows, seconds, CPU seconds, and peak resident MB before and after."""
    import comparison.exports.items_lines  # noqa: F401 so that the peak before is that of a program that has started
    import scoring.imported.importing  # noqa: F401

    before, started, cpu = peak(), time.monotonic(), time.process_time()
    rows = do(step, folder)
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    return {"rows": rows, "seconds": seconds, "cpu": cpu, "before": before, "peak": peak()}


def do(step: str, folder: Path) -> int:
    from annotation.elsewhere.label_import import import_labels
    from annotation.loading import load_study
    from annotation.models import Study
    from bench.analysis.made_study import MODELS, SLUG
    from corpus.tables.columns import read_pairs
    from scoring.imported.importing import Stated, import_scores
    from scoring.imported.reading import ScoreOptions, reading

    if step == "load_study":
        return load_study(folder / "study", open_study=True).added
    study = Study.objects.get(slug=SLUG)
    if step == "import_labels":
        return import_labels(study, folder / "labels.csv", note="made by bench.analysis").labels
    if step.startswith("import_scores"):
        number = int(step.split()[1])
        name, _, columns = MODELS[number - 1]
        read = reading(ScoreOptions(pairs=read_pairs([f"{what}={what}" for what in ("item", *columns.split(","))])))
        stated = Stated(name, "made", "made by bench.analysis", "baseline" if number in (5, 8) else "other")
        data = (folder / f"scores-{number:02}.csv").read_bytes()
        return import_scores(study, data, name=f"scores-{number:02}.csv", stated=stated, reading=read).run.total
    return export_all(study, step, folder)


def export_all(study: Any, what: str, folder: Path) -> int:
    from comparison.exports.cells import lines
    from comparison.exports.registry import export
    from comparison.frame.filters.selection import Selection

    count = 0
    with (folder / f"{what}.csv").open("w", encoding="utf-8", newline="") as out:
        for text in lines(export(what)(study, Selection())):
            count += text.count("\n")
            out.write(text)
    return count - 1


def loop() -> float:
    """CPU seconds of a loop: on a machine that others use, every CPU second does less."""
    started, total = time.process_time(), 0
    for number in range(LOOP):
        total += number * number
    return time.process_time() - started
