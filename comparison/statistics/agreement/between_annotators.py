"""How often two annotators give the same label on the items that both labeled, for all pairs of some annotators.

Who they are: all of a few; of many both ends, and who stands out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.ceiling import AnnotatorAccuracy
from comparison.statistics.accuracy.hits import share
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate

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
    """Pairs of the annotators who are `shown`: items that both labeled, and those with the same label, by place."""

    shown: tuple[str, ...]
    shared: tuple[tuple[int, ...], ...]
    same: tuple[tuple[int, ...], ...]

    def pair(self, one: int, other: int) -> Estimate:
        return share(self.same[one][other], self.shared[one][other], reason=NOTHING_SHARED)


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
