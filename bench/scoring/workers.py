"""One run by one, two and four scoring workers of one machine: items a second, and seconds of a processor.

    make bench-scoring.workers ARGS=FOLDER    (or: python -m bench.scoring.workers FOLDER [--database URL])

A study of real sentences in FOLDER is scored anew by each number of workers, which are started as `make run` starts
one. The clock starts once each of them has done a part, and so has loaded the model.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench import ROOT, cpu_seconds, migrate, real_sentences, set_up
from bench.fairness import running, scored, until
from bench.scoring.memory import STUDY
from tests.servers import valkey

if TYPE_CHECKING:
    from annotation.models import Study
    from scoring.models import LanguageModel

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
        from config.local.__main__ import worker
        from work.queues import Queue

        command = worker(Queue.SCORING, folder / "var")[:-1]
        print(HEAD)
        for count in options.workers:
            with running([[*command, f"scoring{number}@%h"] for number in range(count)], folder) as workers:
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


def measure(study: "Study", model: "LanguageModel", workers: list[subprocess.Popen[bytes]]) -> None:
    """One line: from when each worker has done a part, and so has loaded the model."""
    from scoring.models import Chunk, Remembered
    from scoring.runs.starting import start_run

    first: dict[str, int] = {}
    warm: set[str] = set()

    def all_are_warm() -> bool:
        for worker, part in Chunk.objects.filter(run=run, state=Chunk.HELD).values_list("worker", "pk"):
            if first.setdefault(worker, part) != part:
                warm.add(worker)
        if scored(run) == run.total:
            raise SystemExit("All was scored before each worker had done a part: take more --items.")
        return len(warm) == len(workers)

    def spent() -> float:
        return sum(cpu_seconds(one.pid) for one in workers)

    study.runs.all().delete()
    Remembered.objects.all().delete()
    run = start_run(study, model, "pll", asked_by="bench")
    until(all_are_warm)
    begun, done, before = time.monotonic(), scored(run), spent()
    took = until(lambda: scored(run) == run.total) - begun
    items, seconds = run.total - done, spent() - before
    print(f"| {len(workers)} | {items:,} | {took:.1f} | {items / took:.0f} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
