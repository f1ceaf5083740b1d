"""Balanced accuracy: the mean over labels of the share that is right among the items truly so labeled.

Brodersen et al. 2010 ("The balanced accuracy and its posterior distribution", ICPR, equation 2); for more than two
labels the macro-averaged recall, as in scikit-learn. A rater that gives one label always has 1 / labels, however
skewed the truth is. Labels that are true of no item have no share and are in no mean.
"""

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate


def balanced_accuracy(found: Crossed) -> Estimate:
    """From 0 to 1, with an interval by drawing items anew.

    Nine of ten items are of the first label, and that is given always:

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> balanced_accuracy(crossed(np.zeros(10, dtype=int), np.arange(10) // 9, values=2, called="labels")).value
    0.5
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(of_tables, undefined="no label is true of any item")


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values), rows true, to (draws,)."""
    true = tables.sum(axis=2)
    right = np.diagonal(tables, axis1=1, axis2=2)
    recalls = np.divide(right, true, out=np.zeros_like(true), where=true > 0)
    present = (true > 0).sum(axis=1)
    shares: Floats = np.divide(recalls.sum(axis=1), present, out=np.full(len(tables), np.nan), where=present > 0)
    return shares
