"""One person as a rater like any run: their labels item by item, and what the others said of the same items.

A person is held against the majority of the others, so that nobody is compared with themselves; two persons who agree,
against the majority without both (Emami et al. 2021, section 4.2, compare two assessors with the crowd so).
"""

from collections.abc import Sequence

import numpy as np

from comparison.statistics.counts import MISSING, Ints


def said_by(items: Ints, raters: Ints, labels: Ints, *, rater: int, size: int) -> Ints:
    """One person's label of each of `size` items, as codes; MISSING where they gave none.

    Labels come one by one: the item's row, the person's number, the code. Of several on one item the first is taken.

    >>> said_by(np.array([0, 2, 2, 2]), np.array([0, 0, 1, 0]), np.array([1, 3, 0, 4]), rater=0, size=3)
    array([ 1, -1,  3])
    """
    own = np.flatnonzero(raters == rater)[::-1]
    column = np.full(size, MISSING, dtype=np.int64)
    column[items[own]] = labels[own]
    return column


def without(counts: Ints, items: Ints, raters: Ints, labels: Ints, *, gone: Sequence[int]) -> Ints:
    """Labels counted as (items, values) without all that these persons gave.

    >>> without(np.array([[2, 1], [0, 2]]), np.array([0, 1, 0]), np.array([0, 0, 1]), np.array([0, 1, 0]), gone=[0])
    array([[1, 1],
           [0, 1]])
    """
    own = np.isin(raters, list(gone))
    rest = counts.copy()
    np.subtract.at(rest, (items[own], labels[own]), 1)
    return rest


def both_say(one: Ints, other: Ints) -> Ints:
    """What two raters agree on, as codes of shape (items,); MISSING where they differ or one is silent.

    >>> both_say(np.array([0, 1, MISSING]), np.array([0, 2, MISSING]))
    array([ 0, -1, -1])
    """
    return np.where(one == other, one, MISSING)
