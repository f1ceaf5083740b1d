"""A million labels: what it takes to load a made study, import labels and scores, and export, each in its own process.

    make bench-million ARGS=FOLDER    (or: python -m bench.million FOLDER [--items N] [--only STEP …] [--database URL])

Writes the files of a made study into FOLDER (bench.made_study; those that are there stay), loads them into a database
by the functions that the commands call, exports everything row by row, and prints a line a step: seconds, CPU seconds,
rows a second, peak memory of the process, and how long others have waited to write at most. The database is
FOLDER/million.sqlite3 unless --database names another; what is in it already is not loaded again.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXPORTS = ("judgments", "scores", "items")
IMPORTS = ("load_study", "import_labels", "import_scores")
LOOP = 3_000_000
HEAD = "| step | rows | s | CPU s | rows/s | peak MB | others waited, s |\n|---|---|---|---|---|---|---|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files and the database are")
    parser.add_argument("--items", type=int, default=200_000, help="how many targets (200000)")
    parser.add_argument("--annotators", type=int, default=1_000, help="how many people (1000)")
    parser.add_argument("--scores", type=int, default=10, help="how many of the ten score files are imported (10)")
    parser.add_argument("--only", nargs="+", default=[*IMPORTS, *EXPORTS], choices=[*IMPORTS, *EXPORTS], metavar="STEP")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    parser.add_argument("--one-process", action="store_true", help="start none: a peak is then that of all steps")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.folder.absolute()
    installation(folder, options.database)
    if options.step:
        print(json.dumps(measured(options.step, folder)))
        return
    make_files(folder, options.items, options.annotators)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    print(f"A loop of {LOOP:,} steps takes {loop():.2f} CPU s on this machine now (0.2 on an idle core of 2023).\n")
    print(HEAD, flush=True)
    do_step = measured if options.one_process else partial(in_child, database=options.database)
    for step in options.only:
        for own in of_step(step, scores=options.scores):
            print(line(own, folder, do_step), flush=True)


def installation(folder: Path, database: str) -> None:
    """The environment of this process and of its children."""
    (folder / "var").mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "PARALLAX_VAR": str(folder / "var"),
        "PARALLAX_LOCAL": "1",
        "SECRET_KEY": "bench",
        "DATABASE_URL": database or f"sqlite:///{folder / 'million.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def make_files(folder: Path, items: int, annotators: int) -> None:
    from bench.made_study import Size, make_study

    if not (folder / "labels.csv").exists():
        started = time.monotonic()
        make_study(folder, Size(items=items, annotators=annotators))
        print(f"The files are made in {time.monotonic() - started:.0f} s\n", flush=True)


def of_step(step: str, *, scores: int) -> list[str]:
    """What is left to do of a step: scores are a step a file, and nothing is loaded twice."""
    from annotation.models import Judgment, Study
    from scoring.models import LanguageModel

    if step == "load_study":
        return [] if Study.objects.exists() else [step]
    if step == "import_labels":
        return [] if Judgment.objects.exists() else [step]
    if step == "import_scores":
        there = set(LanguageModel.objects.values_list("name", flat=True))
        from bench.made_study import MODELS

        return [f"{step} {n}" for n, (name, *_) in enumerate(MODELS[:scores], 1) if name not in there]
    return [step]


def in_child(step: str, folder: Path, *, database: str) -> dict[str, Any]:
    """What `measured` says in a process of its own."""
    command = [sys.executable, "-m", "bench.million", str(folder), "--step", step, "--database", database]
    said = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)  # noqa: S603 our own line
    found: dict[str, Any] = json.loads(said.stdout.strip().splitlines()[-1])
    return found


def line(step: str, folder: Path, do_step: Callable[[str, Path], dict[str, Any]]) -> str:
    """A line of the table."""
    done, waits = threading.Event(), [0.0]
    probe = threading.Thread(target=keep_writing, args=(done, waits))
    if step.startswith("import"):
        probe.start()
    found = do_step(step, folder)
    done.set()
    waited = ""
    if step.startswith("import"):
        probe.join()
        waited = f"{max(waits):.1f}"
    rate = found["rows"] / found["seconds"]
    return (
        f"| {step} | {found['rows']:,} | {found['seconds']:.1f} | {found['cpu']:.1f} | {rate:,.0f} "
        f"| {found['peak']:,} (before: {found['before']:,}) | {waited} |"
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
    import django

    django.setup()
    import comparison.exports.items.lines  # noqa: F401 so that the peak before is that of a program that has started
    import scoring.imported.storing  # noqa: F401

    before, started, cpu = peak(), time.monotonic(), time.process_time()
    rows = do(step, folder)
    return {
        "rows": rows,
        "seconds": time.monotonic() - started,
        "cpu": time.process_time() - cpu,
        "before": before,
        "peak": peak(),
    }


def do(step: str, folder: Path) -> int:
    from annotation.label_import import import_labels
    from annotation.loading import load_study
    from annotation.models import Study
    from bench.made_study import MODELS, SLUG
    from corpus.tables.columns import read_pairs
    from scoring.imported.reading import reading
    from scoring.imported.storing import Stated, import_scores

    if step == "load_study":
        return load_study(folder / "study", open_study=True).added
    study = Study.objects.get(slug=SLUG)
    if step == "import_labels":
        return import_labels(study, folder / "labels.csv", note="made by bench.made_study").labels
    if step.startswith("import_scores"):
        number = int(step.split()[1])
        name, _, columns = MODELS[number - 1]
        read = reading(read_pairs([f"{what}={what}" for what in ("item", *columns.split(","))]))
        stated = Stated(name, "made", "made by bench.made_study", "baseline" if number in (5, 8) else "other")
        data = (folder / f"scores-{number:02}.csv").read_bytes()
        return import_scores(study, data, name=f"scores-{number:02}.csv", stated=stated, reading=read).run.total
    return export_all(study, step, folder)


def export_all(study: Any, what: str, folder: Path) -> int:
    from comparison.exports import export
    from comparison.exports.cells import lines
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


def peak() -> int:
    """The greatest resident size of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
