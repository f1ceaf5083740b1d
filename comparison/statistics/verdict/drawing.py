"""Items are drawn once for all runs: sums over items, and over items drawn anew (resampling/bootstrap.py).

Where items are of very many kinds, sums over drawn items are normal for every purpose (the central limit theorem), and
are drawn as such, with the very mean and covariance that drawing items gives. So 200,000 items of 20,000 kinds cost
what 2,000 cost.
"""

import numpy as np

from comparison.statistics.counts import Floats
from comparison.statistics.resampling.bootstrap import DRAWS, SEED, resample
from comparison.statistics.resampling.sample import Sample

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
