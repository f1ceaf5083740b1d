"""Codes of labels, and how many labels of each value each item has."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# The code of "no label here".
MISSING = -1


def count(items: Ints, labels: Ints, *, size: int, values: int) -> Ints:
    """Labels one by one, as rows of items and codes, to a table of shape (size, values). MISSING ones are left out.

    >>> count(np.array([0, 0, 1, MISSING]), np.array([2, 2, 0, 1]), size=2, values=3)
    array([[0, 0, 2],
           [1, 0, 0]])
    """
    both = (items != MISSING) & (labels != MISSING)
    return np.bincount(items[both] * values + labels[both], minlength=size * values).reshape(size, values)


# What stands for "this item has no such attribute".
WITHOUT = "(none)"


def values_of(
    attribute: Iterable[str], *, order: Sequence[str] = (), most: int | None = None
) -> tuple[NDArray[np.str_], list[str]]:
    """The column with its empty cells named, and its values: in `order`, as far as they are there, then the most
    frequent first (ties by name), at most `most` of them.

    >>> column, values = values_of(["b", "a", "", "b"])
    >>> values
    ['b', '(none)', 'a']
    >>> values_of(["b", "a", "", "b"], order=["a", "c"])[1]
    ['a', 'b', '(none)']
    """
    column = np.asarray([value or WITHOUT for value in attribute], dtype=np.str_)
    names, sizes = np.unique(column, return_counts=True)
    by_size = [name for name, _ in sorted(zip(names.tolist(), sizes.tolist(), strict=True), key=_rank)]
    first = [name for name in order if name in by_size]
    return column, [*first, *(name for name in by_size if name not in first)][:most]


def _rank(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]
