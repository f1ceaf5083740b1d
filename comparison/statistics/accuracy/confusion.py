"""Which label a rater gives where another was taken as true.

Matthews' correlation coefficient: the correlation of given and true labels, for any number of labels.

Matthews 1975 for two; Gorodkin 2004 (Computational Biology and Chemistry 28: 367–374, equation 8) for more. It is high
only where every label is hit, and does not rise with skew (Chicco and Jurman 2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.accuracy.hits import NOTHING_SHARED, share_of
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.resampling.sample import ITEMS, Sample

ONE_DECISION = "the run gives the same label to every item"

EMPTY_ROW = "no answered item has this label"


def matthews(found: Crossed) -> Estimate:
    """From -1 (of two labels, always the other) through 0 (chance) to 1, with an interval by drawing items anew.

    Undefined (0/0) where one side has one label only; scikit-learn writes 0 there.

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> round(matthews(crossed(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), values=2, called="labels")).value, 3)
    0.577
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(of_tables, undefined=ONE_DECISION)


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values), rows true, to (draws,); NaN where one side has one label only."""
    true, given = tables.sum(axis=2), tables.sum(axis=1)
    total = tables.sum(axis=(1, 2))
    right = np.trace(tables, axis1=1, axis2=2)
    together = right * total - (true * given).sum(axis=1)
    apart = (total**2 - (given**2).sum(axis=1)) * (total**2 - (true**2).sum(axis=1))
    found: Floats = np.divide(together, np.sqrt(apart), out=np.full(len(tables), np.nan), where=apart > 0)
    return found


@dataclass(frozen=True, slots=True)
class Cell:
    """A count and its share of the row, which is None for a row without items."""

    value: str
    count: int
    share: float | None
    right: bool

    @property
    def heat(self) -> int:
        """The share in tenths, 0 to 10, for shading."""
        return round(10 * (self.share or 0))

    @property
    def percent(self) -> str:
        return "" if self.share is None else percent(self.share)


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """The items whose true label is `value`, by decision. `undecided` have no decision and are in no share."""

    value: str
    cells: tuple[Cell, ...]
    total: int
    undecided: int


def confusion(decided: Ints, truth: Ints, values: Sequence[str]) -> tuple[ConfusionRow, ...]:
    """Rows are true labels, columns are decisions; shares are of the decided items in the row.

    >>> rows = confusion(np.array([0, 1, 1, MISSING]), np.array([0, 0, 1, 1]), ["no", "yes"])
    >>> [(row.value, [cell.count for cell in row.cells], row.undecided) for row in rows]
    [('no', [1, 1], 0), ('yes', [0, 1], 1)]
    """
    size = len(values)
    both = (decided != MISSING) & (truth != MISSING)
    table = np.bincount(truth[both] * size + decided[both], minlength=size * size).reshape(size, size)
    undecided = np.bincount(truth[(decided == MISSING) & (truth != MISSING)], minlength=size)
    rows = []
    for row, value in enumerate(values):
        total = int(table[row].sum())
        cells = tuple(
            Cell(name, int(table[row, column]), int(table[row, column]) / total if total else None, row == column)
            for column, name in enumerate(values)
        )
        rows.append(ConfusionRow(value, cells, total, int(undecided[row])))
    return tuple(rows)


def cell_shares(
    decided: Ints, truth: Ints, *, true: int, given: int, sample: Sample = ITEMS
) -> tuple[Estimate, Estimate]:
    """A cell's share of its row and of all decided items, each with its interval, as accuracy has it.

    >>> of_row, of_all = cell_shares(np.array([0, 1, 1, MISSING]), np.array([0, 0, 1, 1]), true=0, given=1)
    >>> str(of_row), str(of_all)
    ('.5 [.1, .9], n = 2', '.3 [.1, .8], n = 3')
    """
    both = (decided != MISSING) & (truth != MISSING)
    row = both & (truth == true)
    those = row & (decided == given)
    return (
        share_of(those, row, reason=EMPTY_ROW if both.any() else NOTHING_SHARED, sample=sample),
        share_of(those, both, reason=NOTHING_SHARED, sample=sample),
    )
