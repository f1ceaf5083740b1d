"""What coefficients of agreement share: each is a function of sums over items, of what an item's counts add.

So one description of a coefficient gives its value, its interval by drawing items anew (here) and its interval by
leaving annotators out (raters.py), for items one by one and for patterns of items with a weight.

How near two labels of a scale are: 1 for the same, 0 for the two ends (Gwet 2014, Handbook of Inter-Rater
Reliability, 4th edition, sections 3.5 and 4.2; the same matrices as irrCAC's).

Places on the scale stand for labels, from 1. *Ordinal* weights count the pairs of places that lie between two labels;
*linear* and *quadratic* ones take places as equally far apart.

Agreement beyond chance of any number of annotators, (observed - expected) / (1 - expected), in the general form.

Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, section 4.3; as irrCAC computes it. Items may have
different numbers of labels. *Observed* is the mean over items with two labels or more of the weighted share of pairs
that agree; how often each label is used is the mean over all labeled items of its share of the item's labels. What
coefficients differ in is what they *expect* from chance.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

NO_PAIRS = "no item has two labels yet"
ONE_LABEL = "only one label was used"
# Room for the code of a row of counts in 64 bits.
MOST_CODES = 2**62


@dataclass(frozen=True, slots=True)
class Coefficient:
    """`parts`: counts (items, values) to what each item adds, (items, m); `of_sums`: sums (draws, m) to (draws,).

    `of_sums` is NaN where the coefficient is undefined, for only one label was used. Items with one label are given to
    `parts` where `with_lone` is set; items without any never are. `is_share`: a mean of shares, not beyond chance.
    """

    parts: Callable[[Ints], Floats]
    of_sums: Callable[[Floats], Floats]
    with_lone: bool = False
    is_share: bool = False

    @property
    def fewest(self) -> int:
        """Labels that an item needs to add anything."""
        return 1 if self.with_lone else 2

    def value(self, sums: Floats) -> float:
        """Of one row of sums, shape (m,)."""
        return float(self.of_sums(sums[None])[0])


def over_items(coefficient: Coefficient, counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The coefficient of counts (items, values) with an interval by drawing items anew. n is items with two labels.

    The share of items whose two labels are the same:

    >>> same = Coefficient(lambda c: np.column_stack([c.max(axis=1) == 2, c.sum(axis=1) == 2]) * 1.0,
    ...                    lambda sums: sums[:, 0] / sums[:, 1])
    >>> str(over_items(same, np.array([[2, 0], [2, 0], [1, 1], [0, 2]])))
    '.8 [.3, 1.0], n = 4'
    """
    counts, sample = patterns(np.asarray(counts, dtype=np.int64), sample)
    totals = counts.sum(axis=1)
    n = sample.size(totals >= 2)
    if not n:
        return Estimate.none(NO_PAIRS)
    used = totals >= coefficient.fewest
    parts, own = coefficient.parts(counts[used]), sample.where(used)
    value = coefficient.value(own.sums(parts))
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=n)
    note = lone_note(sample.size(totals == 1)) if coefficient.with_lone else ""
    return estimate(value, parts, coefficient.of_sums, n=n, note=note, sample=own, is_share=coefficient.is_share)


def lone_note(lone: int) -> str:
    if not lone:
        return ""
    items = "item with one label counts" if lone == 1 else "items with one label count"
    return f"{lone:,} {items} only toward how often labels are used"


def patterns(counts: Ints, sample: Sample) -> tuple[Ints, Sample]:
    """Each distinct row of counts once, with how many items it is; as it was where items have clusters.

    >>> rows, found = patterns(np.array([[2, 0], [1, 1], [2, 0]]), ITEMS)
    >>> rows.tolist(), found.weights.tolist()
    ([[1, 1], [2, 0]], [1, 2])
    """
    if sample.clusters is not None or not counts.size:
        return counts, sample
    place, rows = distinct_rows(counts)
    weights = np.bincount(place, weights=sample.weights, minlength=len(rows)).astype(np.int64)
    return rows, Sample(weights=weights)


def distinct_rows(counts: Ints) -> tuple[Ints, Ints]:
    """The place of each row among the distinct rows, and those.

    >>> place, rows = distinct_rows(np.array([[2, 0], [1, 1], [2, 0]]))
    >>> place.tolist(), rows.tolist()
    ([1, 0, 1], [[1, 1], [2, 0]])
    """
    base = int(counts.max(initial=0)) + 1
    if base ** counts.shape[1] > MOST_CODES:
        rows, place = np.unique(counts, axis=0, return_inverse=True)
        return place.ravel(), rows
    # One number a row, which sorts as the row does: many times faster than comparing rows.
    digits = base ** np.arange(counts.shape[1], dtype=np.int64)[::-1]
    _, first, place = np.unique(counts @ digits, return_index=True, return_inverse=True)
    return place, counts[first]


Weighting = Literal["identity", "linear", "quadratic", "ordinal"]


def weight_matrix(weighting: Weighting, *, values: int) -> Floats:
    """Shape (values, values), symmetric, with ones on the diagonal.

    >>> weight_matrix("linear", values=3).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    >>> weight_matrix("ordinal", values=4)[0].round(3).tolist()
    [1.0, 0.833, 0.5, 0.0]
    """
    if weighting == "identity" or values == 1:
        return np.eye(values)
    apart = np.abs(np.subtract.outer(np.arange(values), np.arange(values))).astype(np.float64)
    distance = {"linear": apart, "quadratic": apart**2, "ordinal": apart * (apart + 1) / 2}[weighting]
    return np.asarray(1 - distance / distance.max())


# Where chance alone agrees this often, nothing is left to tell.
CERTAIN = 1e-12

Expected = Callable[[Floats], Floats]


def chance_corrected(weights: Floats, expected: Expected) -> Coefficient:
    """`weights` (values, values); `expected` takes shares of the labels, (draws, values), and returns (draws,).

    Fleiss' κ of two items and two people, who agree on the first:

    >>> fleiss = chance_corrected(np.eye(2), lambda shares: (shares**2).sum(axis=1))
    >>> round(fleiss.value(fleiss.parts(np.array([[2, 0], [1, 1]])).sum(axis=0)), 3)
    -0.333
    """

    def parts(counts: Ints) -> Floats:
        totals = counts.sum(axis=1)
        several = totals >= 2
        observed = np.where(several, agreeing(counts, weights), 0.0)
        return np.column_stack([several, observed, np.ones(len(counts)), counts / totals[:, None]])

    def of_sums(sums: Floats) -> Floats:
        return beyond_chance(ratio(sums[:, 1], sums[:, 0]), expected(ratio(sums[:, 3:], sums[:, 2:3])))

    return Coefficient(parts, of_sums, with_lone=True)


def agreeing(counts: Ints, weights: Floats) -> Floats:
    """The weighted share of each item's pairs of labels that agree; 0 where there is no pair.

    >>> agreeing(np.array([[2, 1, 0], [1, 0, 0]]), np.eye(3)).round(3).tolist()
    [0.333, 0.0]
    """
    totals = counts.sum(axis=1)
    pairs = (counts * (counts @ weights)).sum(axis=1) - counts @ np.diag(weights)
    return np.asarray(pairs / np.maximum(totals * (totals - 1), 1))


def ratio(top: Floats, under: Floats) -> Floats:
    """NaN where there is nothing to divide by.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    under = np.broadcast_to(under, top.shape)
    return np.asarray(np.divide(top, under, out=np.full(top.shape, np.nan), where=under > 0))


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed - expected) / (1 - expected), NaN where chance alone agrees always.

    >>> beyond_chance(np.array([0.75, 1.0]), np.array([0.5, 1.0])).tolist()
    [0.5, nan]
    """
    room = 1 - expected
    return np.divide(observed - expected, room, out=np.full_like(observed, np.nan), where=room > CERTAIN)
