"""Agreement beyond chance of any number of annotators, (observed - expected) / (1 - expected), in the general form.

Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, section 4.3; as irrCAC computes it. Items may have
different numbers of labels. *Observed* is the mean over items with two labels or more of the weighted share of pairs
that agree; how often each label is used is the mean over all labeled items of its share of the item's labels. What
coefficients differ in is what they *expect* from chance.
"""

from collections.abc import Callable

import numpy as np

from comparison.statistics.agreement.coefficient import Coefficient
from comparison.statistics.counts import Floats, Ints

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
