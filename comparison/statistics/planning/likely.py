"""What one more person would say of each item, from the labels that it has.

Few labels look more unanimous than people are: three of three says less than that everybody agrees. Each item's shares
are drawn towards the mean of items that are `alike` (of which the runs say the same, so that what runs have right stays
right), by the square root of the reliability of k labels (Spearman 1910; Brown 1910; with Krippendorff's α among those
alike for the reliability of one). By the square root, and not by the whole, because then the items lie as far apart as
they truly do (constrained empirical Bayes: Louis 1984, JASA 79: 393–398): labels drawn anew have the study's own α.
"""

import numpy as np

from comparison.statistics.counts import Floats, Ints

# Items of which fewer are alike are drawn towards the mean of all: a mean of few would be their own luck.
ENOUGH_ALIKE = 10


def likely_labels(counts: Ints, *, alike: Ints, ordered: bool) -> Floats:
    """The chance of each label on each item, shape (items, values); every item has a label, some item two.

    Three people each, who agree on two items of three:

    >>> likely_labels(np.array([[3, 0], [0, 3], [1, 2]]), alike=np.zeros(3, dtype=int), ordered=False).round(2)
    array([[0.96, 0.04],
           [0.03, 0.97],
           [0.34, 0.66]])
    """
    given = counts.sum(axis=1, keepdims=True)
    shares = counts / given
    groups = _groups(alike)
    one = _alpha_among(counts, shares, groups, _distances(counts, ordered=ordered))
    kept = np.sqrt(given * one / (1 + (given - 1) * one))
    means = np.column_stack([np.bincount(groups, weights=column) for column in shares.T]) / np.bincount(groups)[:, None]
    return np.asarray(kept * shares + (1 - kept) * means[groups], dtype=np.float64)


def _groups(alike: Ints) -> Ints:
    """Codes from 0 without gaps; those that are too few are one group together."""
    _, codes, sizes = np.unique(alike, return_inverse=True, return_counts=True)
    merged = np.where(sizes[codes] < ENOUGH_ALIKE, len(sizes), codes)
    return np.asarray(np.unique(merged, return_inverse=True)[1], dtype=np.int64)


def _alpha_among(counts: Ints, shares: Floats, groups: Ints, distances: Floats) -> float:
    """α with labels on one item held against labels on different items that are alike; from 0 to 1."""
    given = counts.sum(axis=1)
    pairs = given >= 2
    observed = _disagreement(counts[pairs], distances) / (given[pairs] - 1)
    sizes = np.bincount(groups)
    sums = np.column_stack([np.bincount(groups, weights=column) for column in shares.T])
    own = np.bincount(groups, weights=_disagreement(shares, distances))
    several = sizes >= 2
    # Of every two items of a group; each group as often as it has items.
    between = ((_disagreement(sums, distances) - own)[several] / (sizes[several] - 1)).sum()
    expected = between / sizes[several].sum() if several.any() else 0.0
    return min(max(1 - observed.sum() / given[pairs].sum() / expected, 0.0), 1.0) if expected > 0 else 0.0


def _disagreement(rows: Floats | Ints, distances: Floats) -> Floats:
    return np.asarray(np.einsum("iv,vw,iw->i", rows, distances, rows), dtype=np.float64)


def _distances(counts: Ints, *, ordered: bool) -> Floats:
    """Krippendorff's (2011, section D): ordinal, the labels that lie between; else 1 for any two labels."""
    totals = counts.sum(axis=0)
    if not ordered:
        return 1 - np.eye(len(totals))
    middles = np.cumsum(totals) - totals / 2
    return np.asarray((middles[:, None] - middles[None, :]) ** 2, dtype=np.float64)
