"""How far each item's answers lie apart: people from one another, and runs from people."""

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints


def among_people(counts: Ints) -> Floats:
    """The share of pairs of labels that differ, from 0 to 1, for counts (items, values); NaN below two labels.

    >>> among_people(np.array([[2, 0], [1, 1], [1, 0]]))
    array([ 0.,  1., nan])
    """
    totals = counts.sum(axis=1)
    pairs = (totals * (totals - 1)).astype(np.float64)
    agreeing = (counts * (counts - 1)).sum(axis=1)
    agreement: Floats = np.divide(agreeing, pairs, out=np.full(len(counts), np.nan), where=pairs > 0)
    return np.asarray(1 - agreement)


def from_people(counts: Ints, decided: Ints) -> Floats:
    """The share of an item's labels that differ from a run's decision, from 0 to 1.

    `decided` has shape (items, runs); the result has shape (items,), the mean over the runs that decided.
    NaN where no run decided or there is no label.

    Three of four labels are the first run's, one is the second's:

    >>> from_people(np.array([[3, 1]]), np.array([[0, 1]]))
    array([0.5])
    """
    totals = counts.sum(axis=1).astype(np.float64)
    rows = np.arange(len(counts))[:, None]
    agreeing = np.where(decided != MISSING, counts[rows, np.maximum(decided, 0)], 0).sum(axis=1)
    runs = (decided != MISSING).sum(axis=1)
    compared = totals * runs
    agreement: Floats = np.divide(agreeing, compared, out=np.full(len(counts), np.nan), where=compared > 0)
    return np.asarray(1 - agreement)
