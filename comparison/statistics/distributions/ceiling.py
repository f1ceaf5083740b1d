"""How far people's own labels lie from one another by the same distance: what a run's distance is read beside.

*One person* is what a rater with one label reaches: each person's label against the shares of the others of its item
(leave one out). *Half* is what people reach together: one half of an item's labels against the other half, as human
figures beside label distributions come about (Nie et al. 2020, ChaosNLI; Baan et al. 2022), here the expected value
over all ways to part them. Halves of few labels differ by chance, more than a run that knows the true shares differs
from all labels: with five labels an item, a run can well be nearer.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import comb

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.divergence import NO_TWO, mean_of, one_hot, shares
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import ITEMS, Sample

# Row by row, two tables (items, values) to (items,).
Distances = Callable[[Floats, Floats], Floats]

# With more ways than this to part an item's labels, some of them are drawn.
WAYS, DRAWN = 20_000, 500


def one_person(counts: Ints, distances: Distances, *, sample: Sample = ITEMS) -> Estimate:
    """Each person's label against the others' shares, meaned over labels, then items.

    >>> from comparison.statistics.distributions.divergence import variations
    >>> one_person(np.array([[2, 0], [1, 1]]), variations).value
    0.5
    """
    return _by_pattern(counts, lambda row: _left_out(row, distances), sample)


def half(counts: Ints, distances: Distances, *, sample: Sample = ITEMS) -> Estimate:
    """One half of an item's labels against the other, over all ways to part them; of odd numbers, one is larger by one.

    Two labels of each kind are parted alike, or with both of a kind together, which is half as likely:

    >>> from comparison.statistics.distributions.divergence import variations
    >>> round(half(np.array([[2, 2]]), variations).value, 3)
    0.333
    """
    return _by_pattern(counts, lambda row: _parted(row, distances), sample)


def _by_pattern(counts: Ints, of_row: Callable[[Ints], float], sample: Sample) -> Estimate:
    """Items with the same counts have the same number, which is computed once."""
    patterns, place = np.unique(counts, axis=0, return_inverse=True)
    each = np.array([of_row(row) if row.sum() > 1 else np.nan for row in patterns])
    return mean_of(each[place.ravel()], sample=sample, nothing=NO_TWO)


def _left_out(row: Ints, distances: Distances) -> float:
    given = np.flatnonzero(row)
    own = one_hot(given, values=len(row))
    return float(row[given] @ distances(own, shares((row - own).astype(np.int64))) / row.sum())


def _parted(row: Ints, distances: Distances) -> float:
    half_size = int(row.sum()) // 2
    if np.prod(row + 1.0) > WAYS:
        # By a seed of the counts, so that an item's number does not hang on the others.
        rng = np.random.default_rng((SEED, *row.tolist()))
        one = rng.multivariate_hypergeometric(row, half_size, size=DRAWN)
        weights = np.full(DRAWN, 1 / DRAWN)
    else:
        grid = np.stack(np.meshgrid(*(np.arange(count + 1) for count in row), indexing="ij"), axis=-1)
        every = grid.reshape(-1, len(row))
        one = every[every.sum(axis=1) == half_size]
        weights = comb(row, one).prod(axis=1) / comb(int(row.sum()), half_size)
    return float(weights @ distances(shares(one), shares(row - one)))
