"""Gwet's AC1 and, with weights, AC2 (Gwet 2008): agreement beyond chance that a skew of the labels does not crush."""

import numpy as np

from comparison.statistics.agreement.chance import chance_corrected
from comparison.statistics.agreement.coefficient import Coefficient, over_items
from comparison.statistics.agreement.weights import Weighting, weight_matrix
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def gwet(counts: Ints, *, weighting: Weighting = "identity", sample: Sample = ITEMS) -> Estimate:
    """AC1 of counts (items, values), or AC2 with other weights than identity. n is items with two labels or more.

    Gwet 2008, British Journal of Mathematical and Statistical Psychology 61: 29–48, equations 5 to 7; for several
    annotators and weights Gwet 2014, section 4.3. Chance is that of a rater who guesses among all labels of the scale,
    used or not, on items that are hard to tell: it falls where one label is far more common than the others.

    Two people agree on nineteen of twenty items, all but one labeled alike; Fleiss' κ of them is below 0:

    >>> round(gwet(np.array([[2, 0]] * 19 + [[1, 1]])).value, 3)
    0.947
    """
    return over_items(gwet_form(counts.shape[1], weighting), counts, sample=sample)


def gwet_form(values: int, weighting: Weighting = "identity") -> Coefficient:
    """AC1 or AC2 as a function of sums over items.

    >>> gwet_form(2, "linear").fewest
    1
    """
    weights = weight_matrix(weighting, values=values)

    def expected(shares: Floats) -> Floats:
        if values < 2:
            return np.ones(len(shares))
        return np.asarray(weights.sum() / (values * (values - 1)) * (shares * (1 - shares)).sum(axis=1))

    return chance_corrected(weights, expected)
