"""The values of an attribute, in the order in which a reader meets them."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

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
