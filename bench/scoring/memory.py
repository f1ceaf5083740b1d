"""What a worker's memory does when a study grows: peak above the weights, at several sizes.

    make bench-scoring.memory     (or: python -m bench.scoring.memory [--sentences N N …] [--model KEY] [--metric X])

A study of that many sentences is loaded and planned in one process; another does the worker's part, chunk by chunk,
with the real model, and its peak is read.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import ROOT, migrate, peak, real_sentences, set_up

STUDY = """slug = "memory"
title = "Memory"
instructions = "None."
[task]
type = "rating"
question = "How?"
points = 7
low = "low"
high = "high"
[collection]
labels_per_item = 1
sitting_length = 1
max_items_per_annotator = 1
[quality]
gold_distance = 2
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="+", default=[10_000, 100_000], help="sizes (10000 100000)")
    parser.add_argument("--model", default="splade-tiny", help="the packaged model (splade-tiny)")
    parser.add_argument("--metric", default="pll", help="the metric (pll)")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--part", choices=("prepare", "work"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        set_up(options.folder)
        parts = {"prepare": prepare, "work": work}
        parts[options.part](options.sentences[0], options.model, options.metric)
        return
    for count in options.sentences:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "var").mkdir()
            (Path(folder) / "var" / "models").symlink_to(ROOT / "var" / "models")
            for part in ("prepare", "work"):
                command = [sys.executable, "-m", "bench.scoring.memory", "--part", part, "--folder", folder]
                command += ["--sentences", str(count), "--model", options.model, "--metric", options.metric]
                subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603 our own command line


def prepare(count: int, model: str, metric: str) -> None:
    from django.conf import settings
    from django.core.management import call_command

    from annotation.itemfile import ItemRow, write_items
    from annotation.loading import load_study
    from scoring.runs import starting
    from scoring.runs.fitting import find_model

    migrate()
    call_command("fetch_models", only=[model], verbosity=0)
    folder = settings.VAR_DIR / "study"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY)
    texts = real_sentences(20_000)
    rows = (
        # A number makes every sentence another one, or the later ones would only be remembered.
        ItemRow(f"s-{number}", {"sentence": f"{number}: {texts[number % len(texts)]}"})
        for number in range(count)
    )
    write_items(folder / "items.jsonl", rows)
    study = load_study(folder).study
    # This process is all the workers there are: nothing is put on a queue.
    starting.send = lambda rows: None  # type: ignore[attr-defined]
    starting.start_run(study, find_model(model), metric)


def work(count: int, model: str, metric: str) -> None:
    from scoring.models import Chunk, Run
    from scoring.runs import working
    from scoring.scorers import open_scorer

    run = Run.objects.get()
    open_scorer(run.model.spec, metric=metric, settings={})
    loaded = peak()
    started = time.perf_counter()
    while (chunk := Chunk.objects.order_by("pk").first()) is not None:
        working.CHUNKS.work(chunk.pk, worker="bench")
    run.refresh_from_db()
    taken = time.perf_counter() - started
    print(
        f"{model} {metric}: {run.scored} of {count} sentences scored ({run.unscored} unscored) in {taken:.0f} s; "
        f"{loaded} MB with the weights, at most {peak() - loaded} MB above them",
        flush=True,
    )


if __name__ == "__main__":
    main()
