"""What is held against what here: for each item, the shares of people's labels, and a run's probabilities of labels."""

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

NOTHING_SHARED = "no item has both labels and the run’s probabilities"
# Of more different values than this, each is rounded for the interval, though not for the mean itself.
DISTINCT, DECIMALS = 10_000, 3


def shares(counts: Ints) -> Floats:
    """Counts (items, values) to shares that add up to 1; NaN rows where nobody labeled.

    >>> shares(np.array([[3, 1], [0, 0]]))
    array([[0.75, 0.25],
           [ nan,  nan]])
    """
    totals = counts.sum(axis=1, keepdims=True).astype(np.float64)
    found: Floats = np.divide(counts, totals, out=np.full(counts.shape, np.nan), where=totals > 0)
    return found


def one_hot(decided: Ints, *, values: int) -> Floats:
    """A run that names one label, as probabilities: all of it on that label. NaN rows where it names none.

    >>> one_hot(np.array([1, MISSING]), values=2)
    array([[ 0.,  1.],
           [nan, nan]])
    """
    rows = np.vstack([np.eye(values), np.full((1, values), np.nan)])
    return np.asarray(rows[np.where(decided == MISSING, values, decided)])


def mean_of(distances: Floats, *, sample: Sample = ITEMS, nothing: str = NOTHING_SHARED, note: str = "") -> Estimate:
    """The mean of one number an item, NaN where it has none, with an interval by drawing items anew.

    >>> mean_of(np.array([0.0, 1.0, np.nan])).n
    2
    """
    here = np.isfinite(distances)
    n = sample.size(here)
    if not n:
        return Estimate.none(nothing)
    kept, own = distances[here], sample.where(here)
    value = own.total(kept) / n
    kept = for_draws(kept)
    if own.clusters is None:
        kept, place = np.unique(kept, return_inverse=True)
        own = Sample(weights=np.bincount(place, weights=own.weights).astype(np.int64))
    contributions = np.column_stack([kept, np.ones(len(kept))])
    return estimate(value, contributions, lambda sums: sums[:, 0] / sums[:, 1], n=n, note=note, sample=own)


def for_draws(column: Floats) -> Floats:
    """A column as it is drawn from: of very many different numbers, rounded, so that equal ones are drawn at once.

    This moves the ends of an interval by less than half of the last decimal kept, and as a rule by far less.

    >>> for_draws(np.array([0.12345, 0.5]))
    array([0.12345, 0.5    ])
    """
    many = len(column) > DISTINCT and len(np.unique(column)) > DISTINCT
    return np.round(column, DECIMALS) if many else column
