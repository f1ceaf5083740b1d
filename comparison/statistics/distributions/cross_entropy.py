"""How many bits one person's label costs by a run's probabilities: the cross-entropy with people's shares.

Σ over labels of share · −log2(probability), meaned over items (Peterson et al. 2019, "Human uncertainty makes
classification more robust", arXiv:1908.07086; Uma et al. 2021, section 4.4.2, for soft labels). It cannot be below the
entropy of people's shares, which stands beside it: what is above is the divergence of Kullback and Leibler. One label
to which a run gives no probability at all makes it infinite: it is for runs that give probabilities.
"""

import numpy as np
from scipy.special import entr, xlogy

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.shares import mean_of, shares
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

# What is added to each count of the others' labels before they stand for probabilities (Krichevsky and Trofimov 1981).
ADDED = 0.5
NO_TWO = "no item has two labels"


def cross_entropy(counts: Ints, given: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """In bits, for labels counted as (items, values) and a run's probabilities (NaN rows: none).

    >>> cross_entropy(np.array([[1, 1], [2, 0]]), np.array([[0.5, 0.5], [0.5, 0.5]])).value
    1.0
    """
    bits = entropies(shares(counts), given)
    endless = np.isposinf(bits)
    if endless.any():
        where = f"{sample.size(endless):,} of {sample.size(~np.isnan(bits)):,} items"
        return Estimate.none(f"infinite: no probability at all for a label that was given, on {where}")
    return mean_of(bits, sample=sample)


def entropies(one: Floats, other: Floats) -> Floats:
    """Row by row, shape (items, values) to (items,), in bits; infinite where `other` lacks what `one` has."""
    with np.errstate(divide="ignore"):
        return np.asarray(-xlogy(one, other).sum(axis=1) / np.log(2))


def people_entropy(counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The mean entropy of people's shares, in bits, over items with two labels or more.

    Of few labels it comes out too low (Miller 1955): it is a floor and not what a model could reach.

    >>> people_entropy(np.array([[2, 2], [4, 0]])).value
    0.5
    """
    bits = entr(shares(counts)).sum(axis=1) / np.log(2)
    return mean_of(np.where(counts.sum(axis=1) > 1, bits, np.nan), sample=sample, nothing=NO_TWO)


def by_the_others(counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The bits for one person's label by the shares of the others of its item, half a label added to each.

    It is held against the same labels as a run's cross-entropy is, so that a run below it says more of a person's label
    than the other people do.

    Three people who agree; with two kinds of labels, each has −log2((2 + ½) / (2 + 1)):

    >>> round(by_the_others(np.array([[3, 0]])).value, 3)
    0.263
    """
    totals = counts.sum(axis=1, keepdims=True).astype(np.float64)
    others = np.where(totals > 1, totals - 1, np.nan)
    left = np.maximum(counts - 1, 0) + ADDED
    bits = -np.log2(left / (others + ADDED * counts.shape[1]))
    each = np.where(counts > 0, bits * counts, 0.0).sum(axis=1) / np.maximum(totals[:, 0], 1)
    return mean_of(np.where(totals[:, 0] > 1, each, np.nan), sample=sample, nothing=NO_TWO)
