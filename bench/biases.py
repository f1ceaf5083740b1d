"""How often the page finds a bias that was planted, and how often it names one where there is none.

    make bench-biases           (or: python -m bench.biases [--worlds N])

Every made world has items whose labels go with the lengths of their texts. Planted is a run that favors the first
option, one class, long texts, or the place shown first; or nothing: a good run, a poor one, one that guesses labels as
often as they are true, and one with strengths, of which none may be named in more than 5 of 100 worlds.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from django.apps import apps
from numpy.random import Generator

from bench import set_up

# A figure knows the models of the rooms. Tests have them already.
if not apps.ready:
    PLACE_OF_BENCH = tempfile.TemporaryDirectory(prefix="bench-biases-")
    set_up(Path(PLACE_OF_BENCH.name))

from comparison.figures.models.biases import LABEL, LENGTH, PLACE, Biases, biases
from comparison.frame.panel import Panel, RunColumn
from comparison.statistics.bias import PositionBias, position_bias
from comparison.statistics.counts import MISSING, Floats, Ints

ITEMS, TOGETHER = 400, 4
DEGREES = ("1", "2", "3", "4", "5")
OPTIONS = ("first", "second")


def run(key: str, decided: Ints | None = None, strengths: Floats | None = None, *, is_baseline: bool = False) -> Any:
    """A run that names labels or gives strengths."""
    size = len(strengths) if decided is None else len(decided)  # type: ignore[arg-type]
    return RunColumn(
        key=key,
        short=key,
        model=key,
        metric="label",
        family="other",
        is_baseline=is_baseline,
        state="finished",
        decided=np.full(size, MISSING) if decided is None else decided,
        strengths=np.full(size, np.nan) if strengths is None else strengths,
        unscored=np.full(size, "", dtype=object),
        scored=np.ones(size, dtype=bool),
    )


def panel(values: tuple[str, ...], truth: Ints, lengths: Floats, *runs: RunColumn, together: int = 1) -> Panel:
    """Three people agree on the truth; `together` neighbors share a group."""
    size = len(truth)
    names = np.array([f"i{place}" for place in range(size)], dtype=object)
    groups = [f"g{place // together}" if together > 1 else "" for place in range(size)]
    return Panel(
        items=names,
        texts=names,
        lengths=lengths,
        groups=np.array(groups, dtype=object),
        attributes={},
        values=values,
        words={value: value for value in values},
        ordered=values is DEGREES,
        people=pd.DataFrame(columns=["item", "rater", "rater_kind", "label"]),
        counts=np.where(truth[:, None] == np.arange(len(values)), 3, 0),
        truth=truth,
        published=np.full(size, np.nan),
        runs=runs,
    )


def world(seed: Any, values: tuple[str, ...], *, items: int = ITEMS) -> tuple[Generator, Ints, Floats]:
    """Items whose labels go with their lengths and are not equally frequent."""
    rng = np.random.default_rng(seed)
    frequent = np.arange(1, len(values) + 1)
    truth = rng.choice(len(values), size=items, p=frequent / frequent.sum())
    return rng, truth, np.round(10 + 2 * truth + rng.normal(0, 4, size=items))


def mistaken(rng: Generator, truth: Ints, share: float) -> Ints:
    """The truth, but for `share` of the items, which get one another's labels: none is favored."""
    wrong, found = rng.random(len(truth)) < share, truth.copy()
    found[wrong] = rng.permutation(truth[wrong])
    return found


def favoring(rng: Generator, truth: Ints, code: int) -> Ints:
    """A fair run of which a fifth of the answers became one label."""
    return np.where(rng.random(len(truth)) < 0.2, code, mistaken(rng, truth, 0.3))


def following(rng: Generator, truth: Ints, lengths: Floats) -> Ints:
    """A fair run whose answers, in half of the items of each label, lie in the order of the lengths."""
    decided = mistaken(rng, truth, 0.4)
    for label in np.unique(truth):
        own = np.flatnonzero(truth == label)
        ranked = np.sort(decided[own])[np.argsort(np.argsort(lengths[own]))]
        decided[own] = np.where(rng.random(len(own)) < 0.5, ranked, decided[own])
    return decided


def simulated_positions(rng: Generator, items: int, *, favor: float) -> PositionBias:
    """Two options in both orders; the place shown first gets `favor` more in log odds."""
    shown = np.repeat([[[0, 1], [1, 0]]], items, axis=0)
    liked = np.repeat(rng.normal(size=(items, 1, 2)), 2, axis=1)
    odds = np.take_along_axis(liked, shown, axis=2) + rng.normal(0, 0.5, shown.shape)
    odds[:, :, 0] += favor
    return position_bias(shown, odds - np.log(np.exp(odds).sum(axis=2, keepdims=True)))


def first_option(seed: Any) -> Biases:
    rng, truth, lengths = world(seed, OPTIONS)
    return biases(panel(OPTIONS, truth, lengths, run("r", favoring(rng, truth, 0))), {}, target="reference")


def one_class(seed: Any) -> Biases:
    rng, truth, lengths = world(seed, DEGREES)
    return biases(panel(DEGREES, truth, lengths, run("r", favoring(rng, truth, 2))), {}, target="reference")


def long_texts(seed: Any, values: tuple[str, ...] = DEGREES) -> Biases:
    rng, truth, lengths = world(seed, values)
    return biases(panel(values, truth, lengths, run("r", following(rng, truth, lengths))), {}, target="reference")


def short_texts(seed: Any) -> Biases:
    """Log-probabilities that fall with every word."""
    rng, truth, lengths = world(seed, DEGREES)
    strengths = 2.0 * truth - 0.1 * lengths + rng.normal(size=ITEMS)
    return biases(panel(DEGREES, truth, lengths, run("r", strengths=strengths)), {}, target="reference")


def first_place(seed: Any) -> Biases:
    rng, truth, lengths = world(seed, OPTIONS)
    one = run("r", mistaken(rng, truth, 0.3))
    answers = {"r": simulated_positions(rng, ITEMS, favor=0.2)}
    return biases(panel(OPTIONS, truth, lengths, one), answers, target="reference")


def nothing(seed: Any, values: tuple[str, ...], *, together: int) -> Biases:
    """Four fair runs, one of them asked in words; in groups all items of one are alike in everything."""
    rng, truth, lengths = world(seed, values, items=ITEMS // 2 // together)
    strengths = truth + rng.normal(size=len(truth))
    decided = [mistaken(rng, truth, 0.2), mistaken(rng, truth, 0.7), rng.permutation(truth)]
    runs = [run(key, np.repeat(one, together)) for key, one in zip(("good", "r", "guesses"), decided, strict=True)]
    runs.append(run("strengths", strengths=np.repeat(strengths, together)))
    answers = {"r": simulated_positions(rng, len(truth), favor=0.0)} if together == 1 else {}
    made = panel(values, np.repeat(truth, together), np.repeat(lengths, together), *runs, together=together)
    return biases(made, answers, target="reference")


PLANTED: dict[str, tuple[str, Callable[[Any], Biases]]] = {
    "favors the first of two options": (LABEL, first_option),
    "favors one of five classes": (LABEL, one_class),
    "places long texts higher": (LENGTH, long_texts),
    "chooses the longer of two options": (LENGTH, lambda seed: long_texts(seed, OPTIONS)),
    "log-probabilities fall with words": (LENGTH, short_texts),
    "favors the place shown first": (PLACE, first_place),
}
SILENT: dict[str, Callable[[Any], Biases]] = {
    "no bias, two options": lambda seed: nothing(seed, OPTIONS, together=1),
    "no bias, five degrees": lambda seed: nothing(seed, DEGREES, together=1),
    "no bias, two options, groups of four": lambda seed: nothing(seed, OPTIONS, together=TOGETHER),
    "no bias, five degrees, groups of four": lambda seed: nothing(seed, DEGREES, together=TOGETHER),
}


def finds(found: Biases, kind: str) -> bool:
    return any(line.kind == kind for line in found.found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=400, help="how many worlds of each kind (400)")
    worlds = parser.parse_args().worlds
    print(f"{worlds} worlds each\n\n| planted | found | something else named |\n|---|---|---|")
    for name, (kind, made) in PLANTED.items():
        found = [made((1, seed)) for seed in range(worlds)]
        right = sum(finds(one, kind) for one in found) / worlds
        other = sum(any(line.kind != kind for line in one.found) for one in found) / worlds
        print(f"| {name} | {right:.3f} | {other:.3f} |", flush=True)
    for name, silent in SILENT.items():
        named = sum(bool(silent((2, seed)).found) for seed in range(worlds)) / worlds
        print(f"| {name} | | {named:.3f} |", flush=True)


if __name__ == "__main__":
    main()
