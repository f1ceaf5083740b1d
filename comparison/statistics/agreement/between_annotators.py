"""How often two annotators give the same label on the items that both labeled, for all pairs of some annotators.

Who they are: all of a few; of many both ends, and who stands out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.ceiling import AnnotatorAccuracy
from comparison.statistics.accuracy.hits import share
from comparison.statistics.agreement.reversed import mean_of_others
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.strengths.correlation import spearman

# A picture has room for so many annotators; of more it shows both ends, and who stands out.
MOST, AT_AN_END = 36, 12
NOTHING_SHARED = "they share no item"


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Square matrices over the annotators: how many items both labeled, and on how many they gave the same label."""

    shared: Ints
    same: Ints


def pair_counts(items: Ints, raters: Ints, labels: Ints, *, some: Sequence[int]) -> PairCounts:
    """Of `some` annotators by their numbers, in this order. Labels come one by one: item, annotator, code.

    All pairs at once, as products of tables of items by annotators: the cost is that of `some`, not of everybody.
    Of several labels of one annotator on one item the first counts.

    >>> items, raters, labels = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1], [1, 2, 1]]).T
    >>> found = pair_counts(items, raters, labels, some=[0, 1])
    >>> found.shared.tolist(), found.same.tolist()
    ([[2, 2], [2, 2]], [[2, 1], [1, 2]])
    """
    columns = np.full(int(raters.max(initial=-1)) + 1, MISSING, dtype=np.int64)
    columns[list(some)] = np.arange(len(some))
    # From the last to the first, so that the first stays.
    own = np.flatnonzero(columns[raters] != MISSING)[::-1]
    places, rows = np.unique(items[own], return_inverse=True)
    table = np.full((len(places), len(some)), MISSING, dtype=np.int64)
    table[rows, columns[raters[own]]] = labels[own]
    shared = _together(table != MISSING)
    same = np.zeros_like(shared)
    for label in np.unique(labels[own]):
        same += _together(table == label)
    return PairCounts(shared, same)


def _together(given: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Ints:
    """On how many rows each two columns are both true: exact in floats, whose products are the fast ones."""
    ones = given.astype(np.float64)
    return np.asarray(np.rint(ones.T @ ones), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class BetweenAnnotators:
    """Pairs of the annotators who are `shown`: items that both labeled, and those with the same label, by place.

    `rhos`: of ratings that are averaged, how each one's go with the mean of the others'; else empty.
    """

    shown: tuple[str, ...]
    shared: tuple[tuple[int, ...], ...]
    same: tuple[tuple[int, ...], ...]
    rhos: tuple[Estimate, ...] = ()

    def pair(self, one: int, other: int) -> Estimate:
        return share(self.same[one][other], self.shared[one][other], reason=NOTHING_SHARED)


def rhos_with_others(
    items: Ints, raters: Ints, labels: Ints, *, some: Sequence[int], sample: Sample
) -> tuple[Estimate, ...]:
    """Spearman's ρ of each of `some` annotators' ratings with the mean of all others' on the same items.

    Of many points two people seldom choose the very same one, so that exact matches say little of ratings.

    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> rng = np.random.default_rng(1)
    >>> items, raters = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    >>> labels = np.repeat(rng.integers(7, size=40), 3) + rng.integers(-1, 2, size=120)
    >>> [one.number for one in rhos_with_others(items, raters, labels, some=[0], sample=ITEMS)]
    ['.90']
    """
    others = mean_of_others(items, labels, np.ones(len(items), dtype=bool))
    found = []
    for rater in some:
        own = np.flatnonzero((raters == rater) & np.isfinite(others))
        clusters = None if sample.clusters is None else sample.clusters[items[own]]
        found.append(spearman(labels[own].astype(np.float64), others[own], sample=Sample(clusters=clusters)))
    return tuple(found)


def shown(annotators: Sequence[AnnotatorAccuracy], outliers: Collection[str]) -> tuple[str, ...]:
    """Those whom a picture shows, the one who agrees most with the others first.

    Ends are found by the near end of each interval: a few labels put nobody at the top or the bottom.
    """
    there = [one for one in annotators if one.hits.accuracy.value is not None]
    if len(there) > MOST:
        rising = sorted(there, key=_high)
        apart = [one for one in rising if one.rater in outliers][:AT_AN_END]
        kept = {one.rater for one in (*rising[:AT_AN_END], *sorted(there, key=_low)[-AT_AN_END:], *apart)}
        there = [one for one in there if one.rater in kept]
    return tuple(one.rater for one in sorted(there, key=_place))


def _place(one: AnnotatorAccuracy) -> tuple[float, int, str]:
    return -(one.hits.accuracy.value or 0.0), -one.hits.compared, one.rater


def _low(one: AnnotatorAccuracy) -> float:
    return one.hits.accuracy.low or 0.0


def _high(one: AnnotatorAccuracy) -> float:
    return 1.0 if one.hits.accuracy.high is None else one.hits.accuracy.high
