"""Studies drawn from this one: its items anew, with groups whole, and of each item as many labels as are asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.bootstrap import SEED


@dataclass(frozen=True, slots=True)
class Design:
    """So many items with so many labels each."""

    items: int
    labels: int

    @property
    def total(self) -> int:
        """The labels to pay for."""
        return self.items * self.labels


@dataclass(frozen=True, slots=True)
class DrawnStudy:
    """One study: the row that each item comes from, its group in this draw, and its labels (items, values)."""

    rows: Ints
    groups: Ints
    counts: Ints


def drawn_studies(
    chances: Floats, groups: Ints, design: Design, *, studies: int, seed: int = SEED
) -> Iterator[DrawnStudy]:
    """`chances` are of shape (items, values); `groups` are codes of what stays together, each another if nothing does.

    The last group is cut where the design is full.

    >>> one, = drawn_studies(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1]), Design(3, 5), studies=1)
    >>> one.counts.sum(axis=1).tolist(), len(one.rows)
    ([5, 5, 5], 3)
    """
    rng = np.random.default_rng((seed, design.items, design.labels))
    order = np.argsort(groups, kind="stable")
    sizes = np.unique(groups, return_counts=True)[1]
    starts = np.cumsum(sizes) - sizes
    for _ in range(studies):
        places, own = _places(starts, sizes, design.items, rng)
        rows = order[places]
        yield DrawnStudy(rows, own, np.asarray(rng.multinomial(design.labels, chances[rows]), dtype=np.int64))


def _places(starts: Ints, sizes: Ints, items: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Places of whole groups, drawn until there are enough items, and the number of the draw that each belongs to."""
    # No group has less than one item, so this many are enough.
    chosen = rng.integers(len(sizes), size=items)
    ends = np.cumsum(sizes[chosen])
    chosen = chosen[: int(np.searchsorted(ends, items)) + 1]
    length = sizes[chosen]
    own = np.repeat(np.arange(len(chosen)), length)
    within = np.arange(len(own)) - np.repeat(np.cumsum(length) - length, length)
    return (starts[chosen][own] + within)[:items], own[:items]
