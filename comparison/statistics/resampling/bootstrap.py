"""Intervals by drawing items anew (Efron and Tibshirani 1993, chapters 6 and 13: percentile interval).

Every statistic here is a function of sums over items, so that a draw is a vector of item weights and
all draws are one matrix product.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.estimate import Estimate

Floats = NDArray[np.float64]

DRAWS = 1000
SEED = 20210801
# Weights are made in blocks of this many cells (16 MB), so that large studies need no large memory.
BLOCK_CELLS = 2_000_000
# Fewer defined draws than this, and the percentiles would describe only the lucky ones.
ENOUGH = 0.95
MEANINGFUL_WIDTH = 1e-9


@lru_cache(maxsize=1)
def _block(items: int, start: int, draws: int, seed: int) -> Floats:
    rng = np.random.default_rng((seed, items, start))
    chosen = rng.integers(items, size=(draws, items))
    flat = chosen + np.arange(draws)[:, None] * items
    return np.bincount(flat.ravel(), minlength=draws * items).reshape(draws, items).astype(np.float64)


def weights(items: int, *, draws: int = DRAWS, seed: int = SEED) -> Iterator[Floats]:
    """Blocks of shape (some draws, items): how often each item occurs in each draw. Same seed, same draws."""
    step = max(1, min(draws, BLOCK_CELLS // max(items, 1)))
    for start in range(0, draws, step):
        yield _block(items, start, min(step, draws - start), seed)


def resample(contributions: Floats, *, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """Sums over drawn items: (items, m) becomes (draws, m).

    >>> resample(np.ones((5, 1)), draws=3)
    array([[5.],
           [5.],
           [5.]])
    """
    return np.concatenate([block @ contributions for block in weights(len(contributions), draws=draws, seed=seed)])


def estimate(
    value: float, contributions: Floats, statistic: Callable[[Floats], Floats], *, n: int, note: str = ""
) -> Estimate:
    """`value` with the percentile interval of `statistic` over the draws.

    `contributions` has shape (items, m); `statistic` takes sums of shape (draws, m) and returns (draws,),
    with NaN in draws where it is undefined.

    The mean of four numbers:

    >>> numbers = np.array([1.0, 2.0, 3.0, 6.0])
    >>> str(estimate(3.0, numbers[:, None], lambda sums: sums[:, 0] / 4, n=4))
    '3.0 [1.5, 5.3], n = 4'
    """
    return with_interval(value, statistic(resample(contributions)), items=len(contributions), n=n, note=note)


def with_interval(value: float, drawn: Floats, *, items: int, n: int, note: str = "") -> Estimate:
    """`value` with the 2.5th and 97.5th percentile of `drawn`, or why there is no interval."""
    defined = drawn[np.isfinite(drawn)]
    reason = ""
    if items < 2:
        reason = "there is only one item"
    elif len(defined) < ENOUGH * len(drawn):
        reason = "too few resampled sets of items give a value"
    else:
        low, high = (float(end) for end in np.percentile(defined, [2.5, 97.5]))
        if high - low > MEANINGFUL_WIDTH:
            return Estimate(value, low, high, n=n, note=note)
        reason = "every resampled set of items gives the same value"
    return Estimate(value, n=n, no_interval=reason, note=note)
