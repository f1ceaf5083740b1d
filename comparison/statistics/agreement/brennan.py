"""The coefficient of Brennan and Prediger (1981): chance is guessing among all labels of the scale alike."""

import numpy as np

from comparison.statistics.agreement.chance import chance_corrected
from comparison.statistics.agreement.coefficient import Coefficient, over_items
from comparison.statistics.agreement.weights import Weighting, weight_matrix
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def brennan_prediger(counts: Ints, *, weighting: Weighting = "identity", sample: Sample = ITEMS) -> Estimate:
    """Of counts (items, values), all values of the scale, used or not. n is items with two labels or more.

    Brennan and Prediger 1981, Educational and Psychological Measurement 41: 687–699 (κ_n); of two annotators and two
    labels it is Bennett, Alpert and Goldstein's S (1954). With weights: Gwet 2014, section 4.3.

    >>> brennan_prediger(np.array([[2, 0], [2, 0], [1, 1], [0, 2]])).value
    0.5
    """
    return over_items(brennan_form(counts.shape[1], weighting), counts, sample=sample)


def brennan_form(values: int, weighting: Weighting = "identity") -> Coefficient:
    """Brennan and Prediger's κ as a function of sums over items.

    >>> brennan_form(2).fewest
    1
    """
    weights = weight_matrix(weighting, values=values)
    chance = float(weights.sum()) / values**2
    return chance_corrected(weights, lambda shares: np.full(len(shares), chance))
