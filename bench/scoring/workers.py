"""One run by one, two and four scoring workers of one machine: items a second, and seconds of a processor.

    make bench-scoring.workers ARGS=FOLDER    (or: python -m bench.scoring.workers FOLDER [--database URL])

A study of real sentences in FOLDER is scored anew by each number of workers, which are started as `make run` starts
one. The clock starts once all of them are at it and have had five seconds to load the model.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench import ROOT, cpu_seconds, migrate, real_sentences, set_up
from bench.fairness import scored, until
from bench.scoring.memory import STUDY
from tests.servers import valkey

if TYPE_CHECKING:
    from annotation.models import Study
    from scoring.models import LanguageModel

# Seconds in which a worker loads the model.
LOADING = 5
HEAD = "| workers | items | s | items/s | their CPU s |\n|---:|---:|---:|---:|---:|"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the study and its database are")
    parser.add_argument("--items", type=int, default=3000, help="sentences (3000)")
    parser.add_argument("--model", default="minilm-l6-masked", help="which scores by pll (minilm-l6-masked)")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4], help="how many at once (1 2 4)")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with valkey(folder / "valkey") as url:
        set_up(folder, options.database, redis=url)
        migrate()
        study, model = prepare(folder, options.items, options.model)
        print(HEAD)
        for count in options.workers:
            with started(folder, count) as workers:
                measure(study, model, workers)
    return 0


def prepare(folder: Path, count: int, key: str) -> "tuple[Study, LanguageModel]":
    from django.core.management import call_command

    from annotation.itemfile import ItemRow, write_items
    from annotation.loading import load_study
    from annotation.models import Study
    from scoring.models import LanguageModel

    models = folder / "var" / "models"
    if not models.exists():
        models.symlink_to(ROOT / "var" / "models")
    call_command("fetch_models", only=[key], verbosity=0)
    texts = real_sentences(count)
    place = folder / "study"
    place.mkdir(exist_ok=True)
    (place / "study.toml").write_text(STUDY)
    write_items(place / "items.jsonl", (ItemRow(f"s-{n}", {"sentence": f"{n}: {texts[n]}"}) for n in range(count)))
    Study.objects.all().delete()
    return load_study(place).study, LanguageModel.objects.get(key=key)


@contextmanager
def started(folder: Path, count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    from celery import current_app

    from config.local.__main__ import worker
    from work.queues import Queue

    command = worker(Queue.SCORING, folder / "var")[:-1]
    with (folder / "workers.log").open("w") as log:
        workers = [
            subprocess.Popen([*command, f"scoring{number}@%h"], cwd=ROOT, stdout=log, stderr=log)  # noqa: S603
            for number in range(count)
        ]
    try:
        until(lambda: len(current_app.control.ping(timeout=2) or []) == count)
        yield workers
    finally:
        for one in workers:
            one.terminate()
        for one in workers:
            one.wait()


def measure(study: "Study", model: "LanguageModel", workers: list[subprocess.Popen[bytes]]) -> None:
    """One line: from when all workers are at it and have had the time to load the model."""
    from scoring.models import Chunk, Remembered
    from scoring.runs.starting import start_run

    def busy() -> int:
        return Chunk.objects.filter(run=run, state=Chunk.HELD).values("worker").distinct().count()

    def spent() -> float:
        return sum(cpu_seconds(one.pid) for one in workers)

    study.runs.all().delete()
    Remembered.objects.all().delete()
    run = start_run(study, model, "pll", asked_by="bench")
    until(lambda: busy() == len(workers))
    time.sleep(LOADING)
    begun, done, before = time.monotonic(), scored(run), spent()
    took = until(lambda: scored(run) == run.total) - begun
    items, seconds = run.total - done, spent() - before
    print(f"| {len(workers)} | {items:,} | {took:.1f} | {items / took:.0f} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
