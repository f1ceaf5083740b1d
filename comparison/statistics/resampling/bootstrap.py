"""Intervals by drawing items anew (Efron and Tibshirani 1993, chapters 6 and 13: percentile interval).

Every statistic here is a function of sums over items, so that a draw says how often each item occurs and all draws
are one matrix product. Items with equal contributions are one row with a count, and a draw of n items out of them is
multinomial: 200,000 items with 300 different answers cost what 300 items cost, and the draws have the very same
distribution. Where items hang together, whole clusters are drawn (Davison and Hinkley 1997, section 3.8).

Runs that are compared have the same drawn items. Where items are of very many kinds, sums over drawn items are normal
for every purpose (the central limit theorem), and are drawn as such, with the very mean and covariance that drawing
items gives. So 200,000 items of 20,000 kinds cost what 2,000 cost.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from comparison.statistics import tails
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.wilson import SAME_IN_EACH, where_all_agree

DRAWS = 1000
SEED = 20210801
# Draws are made in blocks of this many cells (16 MB), so that large studies need no large memory.
BLOCK_CELLS = 2_000_000
# A binomial number costs about as much as this many drawn places.
BINOMIAL_COST = 10
# Fewer defined draws than this, and the percentiles would describe only the lucky ones.
ENOUGH = 0.95
MEANINGFUL_WIDTH = 1e-9


@lru_cache(maxsize=1)
def _block(items: int, start: int, draws: int) -> Floats:
    rng = np.random.default_rng((SEED, items, start))
    chosen = rng.integers(items, size=(draws, items))
    flat = chosen + np.arange(draws)[:, None] * items
    return np.bincount(flat.ravel(), minlength=draws * items).reshape(draws, items).astype(np.float64)


def weights(items: int, *, draws: int = DRAWS) -> Iterator[Floats]:
    """Blocks of shape (some draws, items): how often each item occurs in each draw. The same each time."""
    step = max(1, min(draws, BLOCK_CELLS // max(items, 1)))
    for start in range(0, draws, step):
        yield _block(items, start, min(step, draws - start))


def _of_counted(counts: Ints, *, draws: int = DRAWS) -> Iterator[Floats]:
    """Blocks of weights for rows that stand for `counts` items each: as many items are drawn as there are."""
    total = int(counts.sum())
    if len(counts) * BINOMIAL_COST > total:
        place = np.repeat(np.arange(len(counts)), counts)
        for block in weights(total, draws=draws):
            yield block if len(counts) == total else np.add.reduceat(block, _begins(place), axis=1)
        return
    rng = np.random.default_rng((SEED, total, len(counts)))
    step = max(1, min(draws, BLOCK_CELLS // len(counts)))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        yield rng.multinomial(total, counts / total, size=size).astype(np.float64)


def _begins(place: Ints) -> Ints:
    return np.flatnonzero(np.diff(place, prepend=-1))


def resample(contributions: Floats, *, draws: int = DRAWS, sample: Sample = ITEMS) -> Floats:
    """Sums over drawn items: (items, m) becomes (draws, m).

    >>> resample(np.ones((5, 1)), draws=3)
    array([[5.],
           [5.],
           [5.]])
    """
    rows, counts = sample.units(contributions)
    if not len(rows):
        return np.zeros((draws, contributions.shape[1]))
    return np.concatenate([block @ rows for block in _of_counted(counts, draws=draws)])


def estimate(
    value: float,
    contributions: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    n: int,
    note: str = "",
    sample: Sample = ITEMS,
    is_share: bool = False,
) -> Estimate:
    """`value` with the percentile interval of `statistic` over the draws.

    `contributions` has shape (rows, m), what one item of each row adds; `sample` says what the rows stand for.
    `statistic` takes sums of shape (draws, m) and returns (draws,), with NaN in draws where it is undefined.
    `is_share`: a mean of shares from 0 to 1, which has Wilson's interval where all items agree.

    The mean of four numbers:

    >>> numbers = np.array([1.0, 2.0, 3.0, 6.0])
    >>> str(estimate(3.0, numbers[:, None], lambda sums: sums[:, 0] / 4, n=4))
    '3.0 [1.5, 5.3], n = 4'
    """
    rows, counts = sample.units(contributions)
    drawn = int(counts.sum())
    if drawn < 2:
        return Estimate(value, n=n, no_interval=_why_one_is_too_few(n, sample), note=note)
    sums = np.concatenate([block @ rows for block in _of_counted(counts)])
    grouped = sample.clusters is not None
    found = with_interval(value, statistic(sums), items=drawn, n=n, note=note, expanded=grouped)
    return where_all_agree(found, units=drawn, called="groups" if grouped else "items") if is_share else found


def mean(values: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """The mean over items with its interval; ValueError for no rows.

    >>> str(mean(np.array([1.0, 2.0, 3.0, 6.0])))
    '3.0 [1.5, 5.3], n = 4'
    """
    if not len(values):
        raise ValueError("No values have no mean.")
    contributions = np.column_stack([values, np.ones(len(values))])
    n = sample.size(np.ones(len(values), dtype=bool))
    value = sample.total(values) / n
    return estimate(value, contributions, lambda sums: sums[:, 0] / sums[:, 1], n=n, sample=sample)


def with_interval(
    value: float, drawn: Floats, *, items: int, n: int, note: str = "", expanded: bool = False
) -> Estimate:
    """`value` with the 2.5th and 97.5th percentile of `drawn`, or why there is no interval.

    `expanded`: percentiles further out, by which few `items` (groups, mostly) make up for what draws of them lack in
    width: those of −√(k / (k − 1)) t, where t has k − 1 degrees of freedom (Hesterberg 2015, section 5.3.2).
    """
    defined = drawn[np.isfinite(drawn)]
    reason = ""
    if items < 2:
        reason = "there is only one item" if n < 2 else "all items are in one group"
    elif len(defined) < ENOUGH * len(drawn):
        reason = "too few resamples give a value"
    else:
        tail = 2.5
        if expanded:
            tail = 100 * float(tails.of_normal(np.sqrt(items / (items - 1)) * tails.t_of(0.025, items - 1)))
        low, high = (float(end) for end in np.percentile(defined, [tail, 100 - tail]))
        if high - low > MEANINGFUL_WIDTH:
            return Estimate(value, low, high, n=n, note=note)
        reason = SAME_IN_EACH
    return Estimate(value, n=n, no_interval=reason, note=note)


def _why_one_is_too_few(n: int, sample: Sample) -> str:
    return "all items are in one group" if sample.clusters is not None and n > 1 else "there is only one item"


MANY_KINDS = 2000


def drawn_sums(contributions: Floats, sample: Sample, *, kinds: int = MANY_KINDS) -> tuple[Floats, Floats]:
    """Sums over all items, shape (m,), and over drawn ones, shape (draws, m).

    >>> total, drawn = drawn_sums(np.array([[1.0], [3.0]]), Sample(weights=np.array([10, 30])))
    >>> total.tolist(), drawn.shape, bool(abs(drawn.mean() - 100) < 1)
    ([100.0], (1000, 1), True)
    """
    rows, counts = sample.units(contributions)
    if len(rows) <= kinds:
        return sample.sums(contributions), resample(rows, sample=Sample(weights=counts))
    total = counts @ rows
    spread = (rows * counts[:, None]).T @ rows - np.outer(total, total) / counts.sum()
    return total, np.random.default_rng((SEED, len(rows))).normal(size=(DRAWS, len(total))) @ _root(spread) + total


def _root(spread: Floats) -> Floats:
    """The symmetric square root: there is one only, so that the same data give the same draws."""
    values, vectors = np.linalg.eigh(spread)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
