"""How far a run's probabilities lie from people's shares: total variation, meaned over items.

Half the sum of absolute differences: the share of people whose label would have to change. Baan et al. 2022 ("Stop
Measuring Calibration When Humans Disagree", arXiv:2210.16133, section 4: DistCE) take it as an item's error of
calibration where people differ, and where "the right label" of plain calibration does not exist.
"""

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.shares import mean_of, shares
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def total_variation(counts: Ints, given: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """People's labels counted as (items, values), and a run's probabilities of the same shape (NaN rows: none).

    >>> total_variation(np.array([[3, 1]]), np.array([[0.5, 0.5]])).value
    0.25
    """
    return mean_of(distances(shares(counts), given), sample=sample)


def distances(one: Floats, other: Floats) -> Floats:
    """Row by row, shape (items, values) to (items,), from 0 to 1; NaN where either has none."""
    return np.asarray(np.abs(one - other).sum(axis=1) / 2)
