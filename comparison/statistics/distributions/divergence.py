"""How far each item's answers lie apart: people from one another, and runs from people.

How mixed each item's labels are: the entropy of their shares (Shannon 1948, Bell System Technical Journal 27: 379).

The plain one, of the shares as they are: with few labels an item it is lower than that of all people (Miller 1955).

How far a run's probabilities lie from people's shares: the Jensen–Shannon distance, meaned over items.

The square root of Lin's divergence (1991, IEEE Transactions on Information Theory 37: 145–151, equation 3.1), which
makes it a metric (Endres and Schindelin 2003). Logarithms to base 2, so that it lies between 0 (the same) and 1 (no
label in common). Nie et al. 2020 (ChaosNLI, arXiv:2010.03532) give the same distance with natural logarithms: theirs
is this one times .8326.
"""

import numpy as np
from scipy.special import entr, rel_entr

from comparison.statistics.counts import MISSING, Floats, Ints
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


def entropy(counts: Ints) -> Floats:
    """In bits, from 0 (all labels are one) to `most` (as many of each), for counts (items, values); NaN where no label.

    >>> entropy(np.array([[4, 0], [2, 2], [0, 0]]))
    array([ 0.,  1., nan])
    """
    # Adding zero turns −0.0 into 0.0.
    return np.asarray(entr(shares(counts)).sum(axis=1) / np.log(2) + 0.0)


def most(values: int) -> float:
    """The highest entropy that labels of so many values can have.

    >>> most(4)
    2.0
    """
    return float(np.log2(values))


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
