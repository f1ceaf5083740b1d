"""Who waits for whom: what is small behind what is large, of another study, with the workers of `make run`.

    make bench-fairness ARGS=FOLDER    (or: python -m bench.fairness FOLDER [--items N] [--model KEY])

Two studies in FOLDER: N items (1,500 by default) and 12. A run of the large study starts; once it is running, one
of the small study starts: seconds until the small one has its first and its last score, and how far the large one is.
Where FOLDER has the study of bench.analysis, every way to aggregate its million labels is asked for and, once a worker
is at it, the report of the small study: seconds until it is there, and before it, with nothing else to do.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench import ROOT, migrate, set_up
from tests.servers import valkey

FEW = 12
HEAD = "| small | behind | begun after, s | done after, s | of the large one done by then |\n|---|---|---:|---:|---|"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the studies and their database are")
    parser.add_argument("--items", type=int, default=1500, help="of the large study (1500)")
    parser.add_argument("--model", default="minilm-l6-masked", help="which scores by pll (minilm-l6-masked)")
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with valkey(folder / "valkey") as url:
        set_up(folder, redis=url)
        migrate()
        load(folder, options.items)
        with workers(folder):
            print(HEAD)
            runs(options.model)
            report()
    return 0


def load(folder: Path, items: int) -> None:
    """Both studies, new, and the models."""
    from django.core.management import call_command

    from annotation.models import Study
    from scoring.models import Remembered
    from tests.studies import plausibility_row, write_study

    models = folder / "var" / "models"
    if not models.exists():
        models.symlink_to(ROOT / "var" / "models")
    call_command("fetch_models", verbosity=0)
    Remembered.objects.all().delete()
    for slug, count in (("large", items), ("small", FEW)):
        if Study.objects.filter(slug=slug).exists():
            Study.objects.get(slug=slug).delete()
        # No text of the one is remembered of the other.
        rows = [plausibility_row(number + len(slug) * items) for number in range(count)]
        call_command("load_study", str(write_study(folder / slug, rows, slug=slug)), verbosity=0)


@contextmanager
def workers(folder: Path) -> Iterator[None]:
    """All that `make run` starts, and the clock."""
    from config.local.__main__ import WORKERS, worker
    from work.queues import Queue

    var = folder / "var"
    with running([worker(queue, var) for queue in WORKERS if queue not in (Queue.JOBS, Queue.TRAINING)], folder):
        yield


@contextmanager
def running(commands: Sequence[Sequence[str]], folder: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """These workers, once all of them answer."""
    from celery import current_app

    with (folder / "workers.log").open("w") as log:
        started = [subprocess.Popen(one, cwd=ROOT, stdout=log, stderr=log) for one in commands]  # noqa: S603
    try:
        until(lambda: len(current_app.control.ping(timeout=2) or []) == len(started))
        yield started
    finally:
        for one in started:
            one.terminate()
        for one in started:
            one.wait()


def runs(key: str) -> None:
    """A run behind a run."""
    from annotation.models import Study
    from scoring.models import LanguageModel
    from scoring.runs.starting import start_run, stop_run

    model = LanguageModel.objects.get(key=key)
    large, small = (Study.objects.get(slug=slug) for slug in ("large", "small"))
    long = start_run(large, model, "pll", asked_by="rosa")
    until(lambda: scored(long) > 0)
    asked = time.monotonic()
    short = start_run(small, model, "pll", asked_by="ben")
    begun = until(lambda: scored(short) > 0) - asked
    done = until(lambda: scored(short) == FEW) - asked
    print(f"| run of {FEW} items | a run of {long.total:,} | {begun:.1f} | {done:.1f} | {scored(long):,} items |")
    stop_run(long)


def report() -> None:
    """A report behind all ways to aggregate."""
    from annotation.models import Study
    from bench.analysis.made_study import SLUG
    from comparison.exported import ask_for_report, read_report, reports_of
    from comparison.frame.cache.gathered import read_one
    from comparison.tasks import AGGREGATE
    from work.errands import ask
    from work.models import Errand

    small, million = Study.objects.get(slug="small"), Study.objects.filter(slug=SLUG).first()

    def made(what: str) -> None:
        Errand.objects.filter(name="report").delete()
        for old in reports_of(small):
            old.unlink()
        asked = time.monotonic()
        ask_for_report(small)
        done = until(lambda: read_report(small, read_one(small)).size is not None) - asked
        left = Errand.objects.filter(name=AGGREGATE).exists()
        print(f"| report of {FEW} items | {what} | | {done:.1f} | {'not all' if left else 'all'} |")

    made("nothing")
    if million is not None:
        ask(AGGREGATE, million.pk, "", study=million.pk, is_large=True)
        until(lambda: Errand.objects.filter(name=AGGREGATE, state=Errand.State.HELD).exists())
        made(f"all ways to aggregate {read_one(million).labels:,} labels")


def scored(run: object) -> int:
    run.refresh_from_db()  # type: ignore[attr-defined]
    return int(run.done)  # type: ignore[attr-defined]


def until(reached: Callable[[], bool]) -> float:
    """When it was reached."""
    while not reached():
        time.sleep(0.2)
    return time.monotonic()


if __name__ == "__main__":
    sys.exit(main())
