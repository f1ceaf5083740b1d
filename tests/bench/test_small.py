"""Each bench, small, as a user runs it, so that none rots: it ends well, and its rows are there with figures.

What "small" is stands here alone, in WALKS. No test looks at a time.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench import ROOT
from bench.verdicts import WORLDS
from tests import forked

MODEL, TOKENIZER = (ROOT / "var" / "models" / name for name in ("splade-tiny", "minilm-l6"))
# Of the walk to the payment, who is in every cast.
CAST = ("noisy", "speeder", "leaver", "comes twice", "comes when it is full", "Policy: ")
PARTS = ("overview", "people", "models", "items", "breakdown", "export")
SENTENCES = "A very happy dog ran home .\nShe was extremely tired after the really long walk .\nThe cat slept .\n"


@dataclass(frozen=True, kw_only=True)
class Small:
    """One run of `python -m bench.NAME`, and words of which each begins, or is in, a line with figures."""

    bench: str
    options: str
    rows: tuple[str, ...]


def packaged() -> None:
    asked()
    if not MODEL.exists():
        pytest.skip(f"{MODEL} is not there; `make models` brings it.")


def peer() -> None:
    if not TOKENIZER.exists():
        pytest.skip(f"{TOKENIZER} is not there; `make models` brings it.")
    if find_spec("minicons") is None:
        pytest.skip("minicons is not installed; `make test` installs it.")


def gpu() -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("torch finds no GPU here.")


def asked() -> None:
    """Of the costliest: with them the suite would grow by two minutes and more of processor time."""
    if os.environ.get("BENCHES") != "all":
        pytest.skip("It takes over ten seconds of processor; BENCHES=all runs it.")


@dataclass(frozen=True, kw_only=True)
class Walk:
    """Benches that follow each other in one folder, since one makes what the next reads. `needs` skips or returns."""

    runs: tuple[Small, ...]
    needs: Callable[[], None] = lambda: None


def alone(bench: str, options: str, *rows: str, needs: Callable[[], None] = lambda: None) -> Walk:
    return Walk(runs=(Small(bench=bench, options=options, rows=rows),), needs=needs)


WALKS = (
    alone("biases", "--worlds 1", "favors the first of two options", "no bias, five degrees, groups of four"),
    alone("coverage", "--worlds 1 --items 30", "percent agreement", "verdict, accuracy beside one person"),
    alone("verdicts", "--worlds 1", *(f"{row.claim} | {row.of}" for row in WORLDS)),
    alone("corpus", "{folder}/text.txt --lines 3 --rounds 1 --workers 2", "ours is", "the same hits",
          "counted 21 words", "2 workers"),
    alone("scoring.memory", "--sentences 5", "5 of 5 sentences scored (0 unscored)", needs=packaged),
    alone("scoring.workers", "{folder} --items 1000 --model splade-tiny --workers 2", "| 2", needs=asked),
    alone("scoring", "--only tiny --sentences 2 --slices 1 --batches 1 --tries 1", "ours", "minicons, batch 16",
          "one mask a pass", "needed operations", needs=peer),
    alone("scoring.gpu", "--only pll-base --dtype float32 --sentences 4 --slices 1 --alone", "ours", "TFLOP/s needed",
          needs=gpu),
    Walk(runs=(
        Small(bench="analysis", options="{folder} --items 60 --annotators 12 --scores 2 --one-process",
              rows=("load_study", "import_labels", "import_scores 2", "judgments", "scores", "items",
                    "A worker: compute", "One label is recorded", "study", *(f"results, {part}" for part in PARTS))),
        Small(bench="serving", options="{folder} --only api --least 0", rows=("items", "labels", "scores")),
    ), needs=asked),
    alone("fairness", "{folder} --items 60 --model splade-tiny", "run of 12 items", "report of 12 items", needs=asked),
    alone("serving", "{folder} --only annotators --items 400 --seconds 1 --web 2", "| 2 | 1", "| 2 | 8", needs=asked),
    alone("crowd", "{folder} --people 2 --at-once 4", *CAST, needs=asked),
    Walk(runs=(
        Small(bench="kills", options="{folder} --kills 3 --every 2 --people 2 --small --model splade-tiny",
              rows=("| run", "| import of labels", "| training", "| report", "| corpus pass", "check_integrity")),
        Small(bench="kills.picture", options="{folder}/metrics.jsonl {folder}/picture.svg", rows=()),
    ), needs=asked),
    alone("queries", "{folder} --items 800", "participant: first page", "Item list", "API: labels", needs=asked),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: ", ".join(one.bench for one in walk.runs))
def test_a_small_bench_ends_well_with_its_rows_and_figures(walk, tmp_path):
    walk.needs()
    (tmp_path / "text.txt").write_text(SENTENCES)
    for one in walk.runs:
        said = ran(one, tmp_path)
        assert not re.search(r"\b(nan|inf)\b", said, re.IGNORECASE), said
        lines = said.splitlines()
        assert [row for row in one.rows if not any(row in line and has_figure(line, row) for line in lines)] == [], said


def ran(one: Small, folder: Path) -> str:
    """What it prints; it must end well."""
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "PARALLAX_LOCAL": "1", "SECRET_KEY": "bench"}
    done = forked.run("-m", f"bench.{one.bench}", *one.options.format(folder=folder).split(), env=env)
    assert done.returncode == 0, f"{one.bench}: {done.stdout[-2000:]}\n{done.stderr[-5000:]}"
    return done.stdout


def has_figure(line: str, row: str) -> bool:
    """One besides those that its name has."""
    return re.search(r"\d", line.replace(row, "", 1)) is not None


def test_every_bench_has_a_small_size():
    files = [path.relative_to(ROOT) for path in (ROOT / "bench").rglob("*.py") if "__main__" in path.read_text()]
    files += [path.relative_to(ROOT) for path in (ROOT / "bench").rglob("__main__.py")]
    names = {".".join(path.with_suffix("").parts[1:]).removesuffix(".__main__") for path in files}
    assert {one.bench for walk in WALKS for one in walk.runs} == names
