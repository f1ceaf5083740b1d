"""Annotators whose labels are not shown to go with the others' at all, though those of the others do.

Two questions of each one. Is this one's label another than the majority of the item's others, more often than theirs
are? If nobody differs from the rest, this one's may be any label of the item, so that misses are a sum of independent
ones with the chances that the items' own labels give (Hong 2013, Computational Statistics & Data Analysis 59: 41–51):
exact, however hard the items are that somebody has met. Holm's correction is over all annotators, so that somebody is
named though all are alike in at most 5 of 100 studies. And are this one's labels better than dealt out over the items
(chance.py) or, where one role is right for every item, than any of the options alike? Holm's correction is
over those who are asked. Somebody with few labels is not shown to miss more often, and so not named.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.aggregation import of_the_others
from comparison.statistics.agreement.reversed import mean_of_others
from comparison.statistics.chance import dealt, holm
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums
from comparison.statistics.strengths.correlation import pairs, pearson

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class AtChance:
    """The numbers of those at chance, of how many in all, and their share of the labels."""

    raters: tuple[int, ...]
    of: int
    share: float


def at_chance(
    rows: Ints,
    raters: Ints,
    labels: Ints,
    counts: Ints,
    *,
    one_role: bool = False,
    of_ratings: bool = False,
    known: Collection[int] = (),
    differing: Sequence[int] | None = None,
    sample: Sample = ITEMS,
) -> AtChance | None:
    """Labels one by one (row, rater, code) and counted, shape (rows, values); None where nobody is at chance.

    Raters of whom something else is `known` are not named. `differing`: what `differ` gives, where it is known, or of
    ratings what `rate_apart` does: these are then to rise with the mean of the others'.

    Of four people, the last one answers as a coin falls:

    >>> rng = np.random.default_rng(1)
    >>> truth, rows, raters = rng.integers(2, size=60), np.repeat(np.arange(60), 4), np.tile(np.arange(4), 60)
    >>> right = rng.random(240) < np.where(raters == 3, 0.5, 0.9)
    >>> labels = np.where(right, truth[rows], 1 - truth[rows])
    >>> from comparison.statistics.counts import count
    >>> at_chance(rows, raters, labels, count(rows, labels, size=60, values=2))
    AtChance(raters=(3,), of=4, share=0.25)
    """
    if differing is None:
        differing = differ(rows, raters, labels, counts, sample=sample)
    others, _ = _others(counts)
    means = mean_of_others(rows, labels, np.ones(len(rows), dtype=bool)) if of_ratings else np.zeros(0)
    by_chance = {}
    for rater in differing:
        here = np.flatnonzero(raters == rater)
        by_chance[rater] = (
            _rises_by_chance(labels[here], means[here])
            if of_ratings
            else _by_chance(labels[here], others[rows[here], labels[here]], counts.shape[1], one_role=one_role)
        )
    named = tuple(
        sorted(
            rater
            for rater, p in zip(by_chance, holm(by_chance.values()), strict=True)
            if p > LEVEL and rater not in known
        )
    )
    if not named:
        return None
    return AtChance(named, len(np.unique(raters)), float(np.isin(raters, named).mean()))


def differ(rows: Ints, raters: Ints, labels: Ints, counts: Ints, *, sample: Sample = ITEMS) -> tuple[int, ...]:
    """The numbers of those whose label is another than the majority of the item's others more often than theirs are.

    Arguments as of `at_chance`. Of four people, the last one answers as a coin falls:

    >>> rng = np.random.default_rng(1)
    >>> truth, rows, raters = rng.integers(2, size=60), np.repeat(np.arange(60), 4), np.tile(np.arange(4), 60)
    >>> right = rng.random(240) < np.where(raters == 3, 0.5, 0.9)
    >>> labels = np.where(right, truth[rows], 1 - truth[rows])
    >>> from comparison.statistics.counts import count
    >>> differ(rows, raters, labels, count(rows, labels, size=60, values=2))
    (3,)
    """
    _, misses = _others(counts)
    chances = (counts * misses).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
    missed, order = misses[rows, labels], np.argsort(raters, kind="stable")
    numbers, starts = np.unique(raters[order], return_index=True)
    own = dict(zip(numbers.tolist(), np.split(order, starts[1:]), strict=True))
    clusters = None if sample.clusters is None else sample.clusters[rows]
    odd = {
        rater: _odder(missed[those], chances[rows[those]], None if clusters is None else clusters[those])
        for rater, those in own.items()
    }
    return tuple(sorted(rater for rater, p in zip(odd, holm(odd.values()), strict=True) if p <= LEVEL))


def asked(rows: Ints, raters: Ints, labels: Ints, counts: Ints) -> int:
    """Of how many `differ` asks whether they miss more often: those with a label whose item's others have a majority.

    >>> rows, raters, labels = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 3]), np.array([1, 1, 1, 0])
    >>> asked(rows, raters, labels, np.array([[0, 3], [1, 0]]))
    3
    """
    others, _ = _others(counts)
    return len(np.unique(raters[others[rows, labels] != MISSING]))


def _others(counts: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """For one who gave each value: the majority of the item's others, and whether it is another; (items, values)."""
    others = np.full(counts.shape, MISSING)
    for value, _, agreed in of_the_others(counts):
        others[:, value] = agreed
    return others, (others != MISSING) & (others != np.arange(counts.shape[1]))


def _odder(missed: NDArray[np.bool_], chances: Floats, clusters: Ints | None) -> float:
    """The probability of as many misses, or more, for one who is as the others of these items."""
    pmf = np.ones(1)
    for chance, times in zip(*np.unique(chances, return_counts=True), strict=True):
        pmf = sp.signal.fftconvolve(pmf, sp.stats.binom.pmf(np.arange(times + 1), times, chance))
    p = float(np.clip(pmf[int(missed.sum()) :].sum(), 0.0, 1.0))
    if clusters is None:
        return p
    sums = cluster_sums((missed - chances)[:, None], np.unique(clusters, return_inverse=True)[1])[:, 0]
    spread = float(sums.std(ddof=1)) * len(sums) ** 0.5 if len(sums) > 1 else 0.0
    return max(p, float(tails.of_t(sums.sum() / spread, len(sums) - 1))) if spread > 0 else 1.0


def _by_chance(labels: Ints, others: Ints, values: int, *, one_role: bool) -> float:
    """The probability of as many labels like the others' majority by chance; 1 where nothing is held against one."""
    held = others != MISSING
    if not held.any():
        return 1.0
    if one_role:
        return float(sp.stats.binom.sf(int((labels == others)[held].sum()) - 1, int(held.sum()), 1 / values))
    return dealt(np.eye(values, dtype=np.int64), labels[held], others[held], ITEMS)


def _rises_by_chance(ratings: Ints, means: Floats) -> float:
    """The probability of as high a correlation by chance; 1 where there is none."""
    both = pairs(ratings.astype(np.float64), means)
    r = pearson(both).value
    if r is None:
        return 1.0
    return float(tails.of_t(r * ((both.n - 2) / max(1 - r**2, 1e-12)) ** 0.5, both.n - 2))
