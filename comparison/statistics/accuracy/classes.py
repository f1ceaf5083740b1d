"""Accuracy on the whole scale, without doubtful labels, and with degrees merged (Emami et al. 2021, section 5.3).

The same decisions each time: nothing is trained or asked anew. Without a doubtful label, the items that are labeled so
are left out, and a rater that gives the label to another item is wrong there. Merged labels are merged in decisions and
references, and people's before their majority is taken, as where the whole page shows merged labels.

Macro F1: the mean over labels of F1, the harmonic mean of precision and recall.

Sokolova and Lapalme 2009 (Information Processing and Management 45: 427–437); the mean of F1 values, not F1 of mean
precision and mean recall (Opitz and Burst 2019, arXiv:1911.03347, tell the two apart and advise this one). Over the
labels that are true of an item or given to one, as in scikit-learn.
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate


def macro_f1(found: Crossed) -> Estimate:
    """From 0 to 1, with an interval by drawing items anew.

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> round(macro_f1(crossed(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), values=2, called="labels")).value, 3)
    0.733
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(of_tables, undefined="no item has a true or given label")


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values), rows true, to (draws,)."""
    both = tables.sum(axis=1) + tables.sum(axis=2)
    right = np.diagonal(tables, axis1=1, axis2=2)
    each = np.divide(2 * right, both, out=np.zeros_like(both), where=both > 0)
    present = (both > 0).sum(axis=1)
    means: Floats = np.divide(each.sum(axis=1), present, out=np.full(len(tables), np.nan), where=present > 0)
    return means


@dataclass(frozen=True, slots=True)
class Way:
    """One way to count. `merged` has the new code of every code, and MISSING for MISSING at its end.

    Three degrees of which the last two become one, and no item is left out:

    >>> way = Way("2 classes", 2, (0, 1, 1, MISSING))
    >>> way.decisions(np.array([2, 0, MISSING]))
    array([ 1,  0, -1])
    >>> way.majority(np.array([[0, 1, 1]]))
    array([1])
    """

    words: str
    classes: int
    merged: tuple[int, ...]
    left_out: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is merged and nothing left out."""
        return not self.left_out and self.merged == whole(self.classes).merged

    def decisions(self, decided: Ints) -> Ints:
        """One rater's codes (items,) in this way's classes."""
        return np.array(self.merged)[decided]

    def majority(self, counts: Ints) -> Ints:
        """What people's labels, counted as (items, values), come to."""
        into = np.array(self.merged[:-1])[:, None] == np.arange(max(self.merged) + 1)
        return majority(counts @ into.astype(np.int64))

    def truth(self, found: Ints) -> Ints:
        """What is taken as true: MISSING for items that are left out."""
        return np.where(np.isin(found, self.left_out), MISSING, found)


def whole(size: int) -> Way:
    """The scale as it is.

    >>> whole(3).decisions(np.array([2, 0, MISSING])).tolist(), whole(3).is_whole
    ([2, 0, -1], True)
    """
    return Way(f"{size} classes", size, (*range(size), MISSING))
