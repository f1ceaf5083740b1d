"""Macro F1: the mean over labels of F1, the harmonic mean of precision and recall.

Sokolova and Lapalme 2009 (Information Processing and Management 45: 427–437); the mean of F1 values, not F1 of mean
precision and mean recall (Opitz and Burst 2019, arXiv:1911.03347, tell the two apart and advise this one). Over the
labels that are true of an item or given to one, as in scikit-learn.
"""

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate


def macro_f1(found: Crossed) -> Estimate:
    """From 0 to 1, with an interval by drawing items anew.

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> round(macro_f1(crossed(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), values=2, called="labels")).value, 3)
    0.733
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(of_tables, undefined="no label is true of any item or given to one")


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values), rows true, to (draws,)."""
    both = tables.sum(axis=1) + tables.sum(axis=2)
    right = np.diagonal(tables, axis1=1, axis2=2)
    each = np.divide(2 * right, both, out=np.zeros_like(both), where=both > 0)
    present = (both > 0).sum(axis=1)
    means: Floats = np.divide(each.sum(axis=1), present, out=np.full(len(tables), np.nan), where=present > 0)
    return means
