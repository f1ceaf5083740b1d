"""Studies made by a program, with known truth: what a verdict must find, and where it must stay silent."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.comparing import compared
from comparison.statistics.verdict.evidence import MAJORITY, Entrant, Evidence, as_patterns, held_against
from comparison.statistics.verdict.parts import Runs

WORDS = ("a", "b", "c", "d", "e")


def labels_like(truth: Ints, *, values: int, share: float, each: int, rng: np.random.Generator) -> Ints:
    """Counts of `each` labels an item: a labeler gives the truth with this probability, else any other alike."""
    counts = np.zeros((len(truth), values), dtype=np.int64)
    for _ in range(each):
        counts[np.arange(len(truth)), like(truth, values=values, share=share, rng=rng)] += 1
    return counts


def like(truth: Ints, *, values: int, share: float, rng: np.random.Generator) -> Ints:
    """A label for each item: the truth with this probability, else any other alike."""
    other = (truth + rng.integers(1, values, size=len(truth))) % values
    return np.where(rng.random(len(truth)) < share, truth, other)


def like_the_majority(counts: Ints, *, share: float, rng: np.random.Generator) -> Ints:
    return like(counts.argmax(axis=1), values=counts.shape[1], share=share, rng=rng)


def entrant(run: int, name: str, decided: Ints, **more: Any) -> Entrant:
    return Entrant(run=run, name=name, is_baseline=False, decided=decided, **more)


def baseline(run: int, name: str, decided: Ints) -> Entrant:
    return Entrant(run=run, name=name, is_baseline=True, decided=decided)


def models(decided: Mapping[str, Ints]) -> tuple[Entrant, ...]:
    return tuple(entrant(run, name, labels) for run, (name, labels) in enumerate(decided.items(), 1))


def evidence(counts: Ints, entrants: tuple[Entrant, ...], *, truth: Ints | None = None, **more: Any) -> Evidence:
    more.setdefault("words", WORDS[: counts.shape[1]])
    more.setdefault("ordered", False)
    given = np.full(len(counts), MISSING, dtype=np.int64) if truth is None else truth
    return Evidence(counts=counts, truth=given, entrants=entrants, **more)


def runs_of(given: Evidence) -> Runs:
    """What a verdict says of the runs: without the people and the sentences it takes half the time or less."""
    given = as_patterns(given)
    against = given.against or held_against(given.counts, given.truth)
    return compared(given, given.majority if against == MAJORITY else given.truth, against=against)


def nothing(size: int) -> Ints:
    """The labels of a run that names none."""
    return np.full(size, MISSING, dtype=np.int64)


def rho(value: float, *, n: int) -> Estimate:
    error = ((1 + value**2 / 2) / (n - 3)) ** 0.5
    ends: Floats = np.tanh(np.arctanh(value) + np.array([-1.96, 1.96]) * error)
    return Estimate(value, float(ends[0]), float(ends[1]), n=n)
