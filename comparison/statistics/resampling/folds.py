"""Which items are judged together by what was learned from the others: folds for cross-fitting (Stone 1974)."""

import hashlib
from array import array
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from comparison.statistics.counts import Ints

FOLDS = 10
# With fewer groups, a fold would be a few groups that happen to be together: each group is left out by itself.
ENOUGH_GROUPS = 100


@dataclass(frozen=True, slots=True)
class Folds:
    """The fold of each item, shape (items,), and how they were made."""

    of_items: Ints
    groups: int

    @property
    def words(self) -> str:
        return f"{FOLDS} folds" if self.groups >= ENOUGH_GROUPS else f"each of {self.groups:,} groups left out in turn"


def folds(names: Iterable[str], groups: Iterable[Hashable], sources: Iterable[Hashable]) -> Folds:
    """Items that share a group or a source, through others too, are in one fold; an empty group or source is none.

    The fold is drawn by the sha256 of a name in it, so that it depends neither on labels and strengths nor on the
    order of the items.

    The first two share a group, the second and the third a source; the last stands alone:

    >>> folds(["a", "b", "c", "d"], ["g", "g", "", ""], ["", "s", "s", ""])
    Folds(of_items=array([0, 0, 0, 1]), groups=2)
    """
    ids = [str(name) for name in names]
    blocks = _blocks(len(ids), groups, sources)
    first: dict[int, str] = {}
    for block, name in zip(blocks.tolist(), ids, strict=True):
        if name < first.setdefault(block, name):
            first[block] = name
    if len(first) < ENOUGH_GROUPS:
        return Folds(blocks, len(first))
    drawn = {block: int(hashlib.sha256(name.encode()).hexdigest(), 16) % FOLDS for block, name in first.items()}
    return Folds(np.array([drawn[block] for block in blocks.tolist()], dtype=np.int64), len(first))


def _blocks(size: int, *keys: Iterable[Hashable]) -> Ints:
    """The number of each item's block: what hangs together when items are joined to their groups and sources."""
    items, joined_to, nodes = array("q"), array("q"), size
    for column in keys:
        places: dict[Hashable, int] = {}
        for item, key in enumerate(column):
            if key:
                items.append(item)
                joined_to.append(nodes + places.setdefault(key, len(places)))
        nodes += len(places)
    ends = np.frombuffer(items, dtype=np.int64), np.frombuffer(joined_to, dtype=np.int64)
    joined = coo_array((np.ones(len(items), dtype=np.int8), ends), shape=(nodes, nodes))
    return np.asarray(connected_components(joined, directed=False)[1][:size], dtype=np.int64)
