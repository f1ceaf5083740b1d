"""Event knowledge from an empty folder: three studies, every metric that fits, two workers, one of them killed midway.

    make bench-events             (or: python -m bench.events [--without METRIC …] [--data DIR])

Imports EventsAdapt, DTFit and EventsRev, scores them with every packaged model through Celery, kills a worker in the
middle of a chunk and starts it again, checks that every item of every run has exactly one score, imports the
published score files, and prints one table. Exit code 1: a run did not finish as it must, or a figure that
SOURCE.txt states came out otherwise; 2: the data are not there. Nothing is left running, whatever happens.
"""

import argparse
import csv
import io
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench import ROOT, SHARED
from bench.event_scores import ScoreFile, score_files, stated_figures
from config.local.child import Child, Program
from config.local.valkey import answers, valkey_program

DATA = SHARED / "event_knowledge"
SETS = {"EventsRev": "eventsrev-pairs", "DTFit": "dtfit-pairs", "EventsAdapt": "eventsadapt-pairs"}
PEOPLE = "people · published numbers, by their sign"
# Another server's address or database would not be an empty folder, and calls to an endpoint cost money.
NOT_OURS = ("DATABASE_URL", "REDIS_URL", "PROMPT_ENDPOINT", "PROMPT_ENDPOINT_MODELS")
WORKERS = ("one", "two")
# Of all items: the quick model and the baselines are done by then, and the slow one is under way.
KILL_AT = 0.6
DEAD_FOR, STALLED = 20.0, 600.0  # seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with clean/, model_scores/ and SOURCE.txt")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=[*SETS], help="of the event sets, these (all)")
    parser.add_argument("--models", nargs="*", metavar="KEY", help="of the packaged models, these (all)")
    parser.add_argument("--without", action="append", default=[], metavar="METRIC", help="leave this metric out")
    parser.add_argument("--one-worker", action="store_true", help="start one worker, and kill none")
    options = parser.parse_args()
    if not (options.data / "SOURCE.txt").exists():
        print(f"The event sets are not in {options.data}.", file=sys.stderr)
        return 2
    models = Path(os.environ.get("PARALLAX_VAR") or ROOT / "var").absolute() / "models"
    with tempfile.TemporaryDirectory(prefix="events-") as folder:
        var = Path(folder)
        (var / "models").symlink_to(models)
        installation(var)
        faults = bench(var, options)
    for fault in faults:
        print(f"FAULT: {fault}")
    return 1 if faults else 0


def leave(number: int, frame: object) -> None:
    """By an exception, so that everything that was started is ended on the way out."""
    raise SystemExit(128 + number)


def installation(var: Path) -> None:
    """Settings of its own for this process and those it starts; ended from outside, it ends them on the way out."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    for name in NOT_OURS:
        os.environ.pop(name, None)
    os.environ |= {"PARALLAX_VAR": str(var), "PARALLAX_LOCAL": "1", "SECRET_KEY": "bench"}
    # Two workers share the cores.
    os.environ["OMP_NUM_THREADS"] = str(max(1, (os.cpu_count() or 2) // 2))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()


def bench(var: Path, options: argparse.Namespace) -> list[str]:
    """All of it; what was not as it must be."""
    data, sets = options.data, {name: SETS[name] for name in options.sets}
    manage("migrate", verbosity=0)
    manage("fetch_models", only=options.models)
    import_sets(data / "clean", sets)
    started = time.monotonic()
    with servers(var, WORKERS[:1] if options.one_worker else WORKERS) as workers:
        runs = start_runs(set(options.without))
        faults = watch(workers)
    faults += unlike_once(runs)
    print(f"{len(runs)} runs in {(time.monotonic() - started) / 60:.1f} minutes, {len(faults)} faults\n", flush=True)
    published = [file for file in score_files(data / "model_scores") if file.events in sets]
    for file in published:
        manage("import_scores", sets[file.events], str(file.path), *file.arguments)
    print(f"{len(published)} published score files are imported\n")
    for title, conditions in {"Active sentences": ["voice=active"], "All sentences": []}.items():
        table = manage("accuracy_table", *sets.values(), where=conditions, format="markdown", ties="wrong")
        print(f"## {title}\n\n{table}", flush=True)
    return faults + compare(var / "active.csv", data, sets, published)


def manage(command: str, *arguments: str, **options: Any) -> str:
    """What a command of ours writes."""
    from django.core.management import call_command

    said = io.StringIO()
    call_command(command, *arguments, **options, stdout=said, stderr=io.StringIO())
    return said.getvalue()


def import_sets(clean: Path, sets: dict[str, str]) -> None:
    for name, slug in sets.items():
        ratings = clean / f"clean_{name}_human_dat.csv"
        rated = ["--ratings", str(ratings)] if ratings.exists() else []
        source = str(clean / f"clean_{name}_SentenceSet.csv")
        manage("import_study", "events", source, "--set", name.lower(), "--slug", slug, *rated)


@contextmanager
def servers(var: Path, workers: Sequence[str]) -> Iterator[dict[str, Child]]:
    """A Valkey server and workers, as `make run` starts them; all are ended on the way out."""
    children: dict[str, Child] = {}
    try:
        valkey = valkey_program(var, log=var / "valkey.log", say=print)
        children["valkey"] = Child(valkey, env=os.environ)
        deadline = time.monotonic() + 20
        while not answers(var / "valkey.sock"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"Valkey does not answer:\n{children['valkey'].last_lines()}")
            time.sleep(0.1)
        for name in workers:
            children[name] = worker(var, name)
        yield children
    finally:
        for child in reversed(children.values()):
            child.kill()


def worker(var: Path, name: str) -> Child:
    command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--queues", "scoring,upkeep"]
    command += ["--concurrency", "1", "--without-gossip", "--without-mingle", "--hostname", f"{name}@%h"]
    # The one that lives keeps the clock for upkeep.
    command += ["--beat", "--schedule", str(var / "beat-schedule")] if name == "one" else []
    return Child(Program(f"worker {name}", command, var / f"{name}.log", ROOT), env=os.environ)


def start_runs(without: set[str]) -> list[int]:
    """Every model with every metric that fits, quick models first; views last, when what they show is remembered."""
    from annotation.models import Study
    from scoring.runs.fitting import choices_for
    from scoring.runs.starting import start_run

    wanted = [
        (metric.measure != "" or metric.shape == "prompt", metric.shape == "prompt", model.family != "masked", study.pk,
         metric.key, study, model, metric)
        for study in Study.objects.all()
        for model, fitting in choices_for(study)
        for metric in fitting
        if metric.key not in without
    ]  # fmt: skip
    return [start_run(*one[-3:]).pk for one in sorted(wanted, key=lambda one: one[:5])]


def watch(workers: dict[str, Child]) -> list[str]:
    """Wait for every run; kill worker two, if there is one, midway while it holds a chunk, and start it again."""
    from django.db.models import F, Sum

    from scoring.models import Chunk, Run

    live, killed, moved = Run.objects.filter(state__in=["queued", "running"]), 0.0, time.monotonic()
    total = Run.objects.aggregate(all=Sum("total"))["all"]
    var = workers["one"].program.log.parent
    with tqdm(total=total, unit="item", desc="scoring", mininterval=5) as bar:
        while live.exists():
            time.sleep(0.5)
            done = Run.objects.aggregate(done=Sum(F("scored") + F("unscored")))["done"]
            moved = time.monotonic() if done > bar.n else moved
            bar.update(done - bar.n)
            held = Chunk.objects.filter(worker__startswith="two@", state="claimed").select_related("run").first()
            if not killed and held and KILL_AT * total <= done:
                workers["two"].kill()
                killed = time.monotonic()
                bar.write(f"worker two is killed at {done} of {total} items, while it holds {held}: {held.run}")
            if killed and workers["two"].status is not None and time.monotonic() - killed > DEAD_FOR:
                workers["two"] = worker(var, "two")
                bar.write(f"worker two is started again at {done} of {total} items")
            if time.monotonic() - moved > STALLED:
                return [f"nothing has moved for {STALLED:.0f} s; worker one says:\n{workers['one'].last_lines()}"]
    return [] if killed or "two" not in workers else ["worker two was not killed: it held no chunk after the middle"]


def unlike_once(runs: list[int]) -> list[str]:
    """Runs that did not finish, or in which an item does not have exactly one score."""
    from scoring.models import Run

    faults = []
    for run in Run.objects.filter(pk__in=runs).select_related("study", "model"):
        items = sorted(run.study.items.filter(kind="target").values_list("pk", flat=True))
        counts = run.scored + run.unscored == run.total == len(items) and not run.chunks.exists()
        if run.state != "finished" or not counts or sorted(run.scores.values_list("item", flat=True)) != items:
            faults.append(f"{run.study.slug}, {run}: {run.state}, {run.done} of {run.total} items. {run.error}")
    return faults


def compare(file: Path, data: Path, sets: dict[str, str], published: list[ScoreFile]) -> list[str]:
    """Print the published rows beside what SOURCE.txt states of them; those that differ."""
    manage("accuracy_table", *sets.values(), where=["voice=active"], format="csv", ties="wrong", out=file)
    with file.open(encoding="utf-8", newline="") as lines:
        cells = {(row["study"], row["rater"]): row for row in csv.DictReader(lines)}
    faults = []
    print("## Beside SOURCE.txt (active sentences)\n\n| study | rater | here | stated | |\n|---|---|---|---|---|")
    for figure in stated_figures(data / "SOURCE.txt"):
        if figure.events not in sets:
            continue
        human = figure.rater.startswith("human")
        raters = [PEOPLE] if human else [file.rater for file in published if figure.is_about(file)]
        if len(raters) != 1:
            faults.append(f"SOURCE.txt states {figure.rater}, which is said of {raters or 'no file'}")
            continue
        cell = cells[sets[figure.events], raters[0]]
        here = int(cell["count"]), int(cell["n"]), int(cell["ties"])
        ties = here[2] if figure.ties is None else figure.ties
        verdict = "equal" if here == (figure.right, figure.n, ties) else "differs"
        stated = f"{figure.right} of {figure.n}" + (f", {figure.ties} tied" if figure.ties is not None else "")
        print(f"| {figure.events} | {raters[0]} | {here[0]} of {here[1]}, {here[2]} tied | {stated} | {verdict} |")
        if verdict == "differs":
            faults.append(f"{figure.events}, {raters[0]}: {here[0]} of {here[1]}, but SOURCE.txt states {stated}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
