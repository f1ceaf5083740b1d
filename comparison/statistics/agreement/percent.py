"""Percent agreement: how often two labels on one item are the same, chance included."""

import numpy as np

from comparison.statistics.agreement.chance import ratio
from comparison.statistics.agreement.coefficient import Coefficient, over_items
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def percent_agreement(counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The share of pairs of labels on the same item that are the same label. n is items with two labels or more.

    Every pair counts the same, so that an item with more labels weighs more (Fleiss' and Gwet's coefficients take the
    mean over items; with as many labels on every item the two are one).

    Two people on three items, who agree on two of them:

    >>> round(percent_agreement(np.array([[2, 0], [0, 2], [1, 1]])).value, 3)
    0.667
    """
    return over_items(PERCENT, counts, sample=sample)


def _parts(counts: Ints) -> Floats:
    totals = counts.sum(axis=1)
    same = (counts * (counts - 1)).sum(axis=1) / 2
    return np.column_stack([same, totals * (totals - 1) / 2])


def _of_sums(sums: Floats) -> Floats:
    return ratio(sums[:, 0], sums[:, 1])


PERCENT = Coefficient(_parts, _of_sums)
