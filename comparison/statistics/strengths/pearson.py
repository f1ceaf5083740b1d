"""Pearson's r: how near two numbers of items lie to a line (Pearson 1896)."""

import math

import numpy as np

from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.fisher import standard, with_interval
from comparison.statistics.strengths.pairs import Pairs


def pearson(pairs: Pairs, *, sample: Sample = ITEMS) -> Estimate:
    """r with Fisher's interval, whose standard error of z is 1 / √(n − 3) (Fisher 1921) or larger (fisher.py).

    >>> from comparison.statistics.strengths.pairs import pairs
    >>> str(pearson(pairs(np.array([1.0, 2, 3, 4, 5, 6]), np.array([2.0, 1, 4, 3, 6, 5]))))
    '.8 [.1, 1.0], n = 6'
    """
    if pairs.undefined:
        return Estimate.none(pairs.undefined, n=pairs.n)
    one, other = standard(pairs.one), standard(pairs.other)
    r = float(np.clip((one * other).mean(), -1, 1))
    # Of numbers on one line rounding errors leave the last digit.
    r = round(r) if abs(r) > 1 - 1e-12 else r
    influence = np.asarray(one * other - r * (one**2 + other**2) / 2)
    return with_interval(r, influence, _formula, sample=pairs.of(sample))


def _formula(worth: float) -> float:
    return 1 / math.sqrt(worth - 3) if worth > 3 else math.inf
