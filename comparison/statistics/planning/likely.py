"""What one more person would say of each item, from the labels that it has.

Few labels look more unanimous than people are: three of three says less than that everybody agrees. Each item's shares
are drawn towards the shares of all labels, by the square root of the reliability of k labels (Spearman 1910; Brown
1910, with α for the reliability of one). By the square root, and not by the whole, because then the items lie as far
apart as they truly do (constrained empirical Bayes: Louis 1984, JASA 79: 393–398), so that labels drawn anew have the
study's own α.
"""

import numpy as np

from comparison.statistics.counts import Floats, Ints


def likely_labels(counts: Ints, *, alpha: float) -> Floats:
    """The chance of each label on each item, shape (items, values), of counts in which every item has a label.

    Below no agreement (α of 0 or less) every item is like all others; at full agreement it is what was said of it.

    >>> likely_labels(np.array([[3, 0], [0, 3]]), alpha=0.5).round(3)
    array([[0.933, 0.067],
           [0.067, 0.933]])
    """
    given = counts.sum(axis=1, keepdims=True)
    one = min(max(alpha, 0.0), 1.0)
    kept = np.sqrt(given * one / (1 + (given - 1) * one))
    return np.asarray(kept * (counts / given) + (1 - kept) * (counts.sum(axis=0) / counts.sum()), dtype=np.float64)
