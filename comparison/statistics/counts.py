"""Codes of labels, and how many labels of each value each item has."""

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
    here = (items != MISSING) & (labels != MISSING)
    return np.bincount(items[here] * values + labels[here], minlength=size * values).reshape(size, values)
