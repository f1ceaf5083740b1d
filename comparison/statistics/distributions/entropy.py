"""How mixed each item's labels are: the entropy of their shares (Shannon 1948, Bell System Technical Journal 27: 379).

The plain one, of the shares as they are: with few labels an item it is lower than that of all people (Miller 1955).
"""

import numpy as np
from scipy.special import entr

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.shares import shares


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
