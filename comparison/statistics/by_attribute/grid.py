"""Accuracy for each value of one attribute and each of another: a cell a pair of values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.counts import Ints
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.values import values_of


@dataclass(frozen=True, slots=True)
class Grid:
    """`cells[row][column]`; a cell without items has nothing to compare. `left_out` columns found no room."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Hits, ...], ...]
    left_out: int = 0

    @property
    def lines(self) -> list[tuple[str, tuple[Hits, ...]]]:
        """Each row's name and cells."""
        return list(zip(self.rows, self.cells, strict=True))


def grid(
    down: Iterable[str],
    across: Iterable[str],
    decided: Ints,
    truth: Ints,
    *,
    order: Sequence[str] = (),
    most: tuple[int | None, int | None] = (None, None),
    sample: Sample = ITEMS,
) -> Grid:
    """The most frequent values of both, rows in `order` where it is given.

    >>> import numpy as np
    >>> found = grid(["a", "a", "b"], ["x", "y", "x"], np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> found.columns, [[(cell.correct, cell.compared) for cell in row] for row in found.cells]
    (('x', 'y'), [[(1, 1), (0, 1)], [(1, 1), (0, 0)]])
    """
    first, rows = values_of(down, order=order, most=most[0])
    second, columns = values_of(across, most=most[1])
    return Grid(
        tuple(rows),
        tuple(columns),
        tuple(
            tuple(
                accuracy(decided[here], truth[here], sample=sample.where(here))
                for column in columns
                for here in [(first == row) & (second == column)]
            )
            for row in rows
        ),
    )
