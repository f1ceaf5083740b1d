"""Fleiss' κ (1971), in the general form for different numbers of labels an item."""

import numpy as np

from comparison.statistics.agreement.chance import chance_corrected
from comparison.statistics.agreement.coefficient import Coefficient, over_items
from comparison.statistics.agreement.weights import Weighting, weight_matrix
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def fleiss(counts: Ints, *, weighting: Weighting = "identity", sample: Sample = ITEMS) -> Estimate:
    """Fleiss' κ of counts (items, values). n is items with two labels or more.

    Fleiss 1971, Psychological Bulletin 76: 378–382, equations 2 to 7, where all items have the same number of labels;
    otherwise Gwet 2014, section 4.3 (see chance.py). Of two annotators it is Scott's π (1955). Chance is that of two
    labels drawn from all: where one label is far more common than the others, κ is low even of people who agree.

    >>> round(fleiss(np.array([[2, 0], [2, 0], [1, 1], [0, 2]])).value, 3)
    0.467
    """
    return over_items(fleiss_form(counts.shape[1], weighting), counts, sample=sample)


def fleiss_form(values: int, weighting: Weighting = "identity") -> Coefficient:
    """Fleiss' κ as a function of sums over items.

    >>> fleiss_form(2).fewest
    1
    """
    weights = weight_matrix(weighting, values=values)

    def expected(shares: Floats) -> Floats:
        return np.asarray(((shares @ weights) * shares).sum(axis=1))

    return chance_corrected(weights, expected)
