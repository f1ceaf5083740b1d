"""Kendall's τ-b: of pairs of items, how many more are in the same order by both numbers than not (Kendall 1945).

Pairs that are tied by one of the two numbers are no evidence; τ-b takes them off both numbers' pairs.
"""

import math

import numpy as np

from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.fisher import with_interval
from comparison.statistics.strengths.pairs import Pairs

# Of so many different numbers each is looked at by itself, however many items there are.
FEW_NUMBERS = 64
# Above this many items, and with more different numbers of both kinds, every pair of items would take minutes.
MOST_ITEMS = 20_000
# Items that are compared with all others at once.
TOGETHER = 500


def kendall(pairs: Pairs, *, sample: Sample = ITEMS) -> Estimate:
    """τ-b by Fisher's z, whose standard error is √(.437 / (n − 4)) (Fieller, Hartley and Pearson 1957) or larger.

    Larger is what each item adds to τ-b (fisher.py), where ties or groups make it so.

    >>> from comparison.statistics.strengths.pairs import pairs
    >>> str(kendall(pairs(np.array([1.0, 2, 3, 4, 5, 6]), np.array([2.0, 1, 4, 3, 6, 5]))))
    '.6 [−.2, .9], n = 6'
    """
    if pairs.undefined:
        return Estimate.none(pairs.undefined, n=pairs.n)
    if pairs.n > MOST_ITEMS and min(len(np.unique(pairs.one)), len(np.unique(pairs.other))) > FEW_NUMBERS:
        return Estimate.none(f"more than {MOST_ITEMS:,} items have different numbers of both kinds", n=pairs.n)
    n = pairs.n
    # Of each item, the share of items that stand to it in the same order, less those in the other; and those not tied.
    net = _net(pairs.one, pairs.other) / (n - 1)
    apart, other_apart = _apart(pairs.one), _apart(pairs.other)
    mean, one_mean, other_mean = net.mean(), apart.mean(), other_apart.mean()
    scale = math.sqrt(one_mean * other_mean)
    tau = float(np.clip(mean / scale, -1, 1))
    tau = round(tau) if abs(tau) > 1 - 1e-12 else tau
    ties = mean / (2 * one_mean) * (apart - one_mean) + mean / (2 * other_mean) * (other_apart - other_mean)
    influence = 2 * (net - mean - ties) / scale
    return with_interval(tau, np.asarray(influence), _formula, sample=pairs.of(sample))


def _formula(worth: float) -> float:
    return math.sqrt(0.437 / (worth - 4)) if worth > 4 else math.inf


def _apart(column: Floats) -> Floats:
    """Of each item, the share of other items with another number."""
    _, place, sizes = np.unique(column, return_inverse=True, return_counts=True)
    return np.asarray((len(column) - sizes[place]) / (len(column) - 1), dtype=np.float64)


def _net(one: Floats, other: Floats) -> Floats:
    """Of each item, Σ sign(x − x′) sign(y − y′) over all items."""
    levels, places = np.unique(other, return_inverse=True)
    if len(levels) <= FEW_NUMBERS:
        return _net_of_levels(one, places, len(levels))
    levels, places = np.unique(one, return_inverse=True)
    if len(levels) <= FEW_NUMBERS:
        return _net_of_levels(other, places, len(levels))
    net = np.empty(len(one))
    for start in range(0, len(one), TOGETHER):
        here = slice(start, start + TOGETHER)
        signs = np.sign(one[here, None] - one) * np.sign(other[here, None] - other)
        net[here] = signs.sum(axis=1)
    return net


def _net_of_levels(column: Floats, places: "np.ndarray[tuple[int], np.dtype[np.int64]]", levels: int) -> Floats:
    """Each item's Σ sign(x − x′) sign(y − y′), counted by level, where one of the two has few distinct numbers."""
    different, codes = np.unique(column, return_inverse=True)
    net = np.zeros(len(column))
    for level in range(levels):
        here = np.bincount(codes[places == level], minlength=len(different))
        up_to = np.cumsum(here)
        below, above = up_to - here, up_to[-1] - up_to
        net += np.sign(places - level) * (below - above)[codes]
    return net
