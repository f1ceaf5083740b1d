"""How far a run's probabilities lie from people's shares: the Jensen–Shannon distance, meaned over items.

The square root of Lin's divergence (1991, IEEE Transactions on Information Theory 37: 145–151, equation 3.1), which
makes it a metric (Endres and Schindelin 2003). Logarithms to base 2, so that it lies between 0 (the same) and 1 (no
label in common). Nie et al. 2020 (ChaosNLI, arXiv:2010.03532) give the same distance with natural logarithms: theirs
is this one times .8326.
"""

import numpy as np
from scipy.special import rel_entr

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.shares import mean_of, shares
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def jensen_shannon(counts: Ints, given: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """People's labels counted as (items, values), and a run's probabilities of the same shape (NaN rows: none).

    >>> found = jensen_shannon(np.array([[2, 2], [4, 0]]), np.array([[0.5, 0.5], [0.0, 1.0]]))
    >>> found.value
    0.5
    """
    return mean_of(distances(shares(counts), given), sample=sample)


def distances(one: Floats, other: Floats) -> Floats:
    """Row by row, shape (items, values) to (items,); NaN where either has none."""
    return np.asarray(np.sqrt(divergences(one, other)))


def divergences(one: Floats, other: Floats) -> Floats:
    """Lin's divergence itself, in bits: the square of the distance.

    >>> divergences(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.5, 0.5]]))
    array([1., 0.])
    """
    middle = (one + other) / 2
    bits = (rel_entr(one, middle) + rel_entr(other, middle)).sum(axis=1) / (2 * np.log(2))
    # Rounding leaves a little less than 0 of two rows that are the same.
    return np.asarray(np.maximum(bits, 0.0))
