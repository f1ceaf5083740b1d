"""Labels one by one, numbered anew: who said what of which item, and which items hang together."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.resampling.sample import ITEMS, Sample

# Rows that are worked on at once, so that millions of them need no large memory.
BLOCK = 200_000
# Codes are taken for places in a table while there are not many more places than codes.
SPARSE = 10


@dataclass(frozen=True, slots=True)
class CodedLabels:
    """One entry a label: item, rater and code, items and raters from 0 without gaps; `groups`: each item's group."""

    item: Ints
    rater: Ints
    label: Ints
    groups: Ints
    items: int
    raters: int

    @property
    def clusters(self) -> int:
        """How many groups there are: items, where each stands for itself."""
        return int(self.groups.max(initial=-1)) + 1


def read_said(items: Ints, raters: Ints, labels: Ints, *, sample: Sample = ITEMS) -> CodedLabels:
    """What is there of labels one by one; `sample` may name clusters by the item's row, and has no weights: ValueError.

    >>> found = read_said(np.array([4, 4, 9]), np.array([7, 8, 7]), np.array([0, 1, MISSING]))
    >>> found.item.tolist(), found.rater.tolist(), found.label.tolist(), found.groups.tolist()
    ([0, 0], [0, 1], [0, 1], [0])
    """
    if sample.weights is not None:
        raise ValueError("Labels one by one are of single items, not of patterns.")
    there = (items != MISSING) & (labels != MISSING)
    rows, item = numbered(items[there])
    people, rater = numbered(raters[there])
    groups = np.arange(len(rows))
    if sample.clusters is not None:
        _, groups = numbered(sample.clusters[rows])
    return CodedLabels(item, rater, labels[there], groups, len(rows), len(people))


def numbered(codes: Ints) -> tuple[Ints, Ints]:
    """The distinct codes in order, and the place of each among them; codes are 0 or more.

    >>> codes, place = numbered(np.array([7, 2, 7]))
    >>> codes.tolist(), place.tolist()
    ([2, 7], [1, 0, 1])
    """
    if int(codes.max(initial=0)) > SPARSE * len(codes) + SPARSE:
        found, place = np.unique(codes, return_inverse=True)
        return found, place
    # A table is many times faster than sorting.
    there = np.zeros(int(codes.max(initial=-1)) + 1, dtype=bool)
    there[codes] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[codes]


def runs(keys: Ints) -> tuple[Ints, Ints]:
    """The distinct codes, and the place of each among them, of codes that are sorted.

    >>> codes, place = runs(np.array([2, 7, 7]))
    >>> codes.tolist(), place.tolist()
    ([2, 7], [0, 1, 1])
    """
    first = np.diff(keys, prepend=keys[:1] - 1) != 0
    return keys[first], np.cumsum(first) - 1


def blocks(keys: Ints) -> Iterator[slice]:
    """Parts of sorted keys, of about BLOCK entries, that never part equal keys.

    >>> [(part.start, part.stop) for part in blocks(np.array([0, 0, 1]))]
    [(0, 3)]
    """
    start = 0
    while start < len(keys):
        last = min(start + BLOCK, len(keys)) - 1
        stop = int(np.searchsorted(keys, keys[last], side="right"))
        yield slice(start, stop)
        start = stop
