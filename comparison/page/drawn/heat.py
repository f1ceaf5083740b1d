"""A matrix as a table whose cells are the darker the more of their row they hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from comparison.statistics.accuracy.confusion import Cell, ConfusionRow

# More columns than this leave a cell no room for a sign beside its number.
WIDE = 6
# Where a long word of a head may be parted: between two consonants, neither a liquid nor one sound.
PARTED = re.compile(r"(?<=[aeiouy][bcdfgjkmnpqstvz])(?=[bcdfgjkmnpqstvz][aeiouy]\w)", re.IGNORECASE)
LONG_WORD, SOFT_HYPHEN = 9, "\u00ad"


@dataclass(frozen=True, slots=True)
class HeatCell:
    """`given` is the label as an address has it; `level`, 0 to 10, how dark it is."""

    given: str
    share: str
    count: int
    level: int
    is_right: bool
    said: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    true: str
    words: str
    cells: tuple[HeatCell, ...]
    total: int
    undecided: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """`key` is the run's, `name` how it is called."""

    key: str
    name: str
    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]

    @property
    def is_tight(self) -> bool:
        return len(self.columns) >= WIDE

    @property
    def has_undecided(self) -> bool:
        return any(row.undecided for row in self.rows)


def heat_map(key: str, name: str, rows: Sequence[ConfusionRow], values: Sequence[str]) -> HeatMap | None:
    """`values` are the labels as addresses have them. None where no item is decided that has a true label."""
    if not any(row.total for row in rows):
        return None
    sign = "" if len(rows) >= WIDE else " %"
    heat_rows = tuple(
        HeatRow(
            true,
            softened(row.value),
            tuple(_cell(row, cell, value, sign=sign) for value, cell in zip(values, row.cells, strict=True)),
            row.total,
            row.undecided,
        )
        for true, row in zip(values, rows, strict=True)
    )
    return HeatMap(key, name, tuple(softened(row.value) for row in rows), heat_rows)


def _cell(row: ConfusionRow, cell: Cell, value: str, *, sign: str) -> HeatCell:
    share = cell.percent.removesuffix(" %") + (sign if cell.count else "")
    counted = f"{cell.count:,} item{'' if cell.count == 1 else 's'}"
    description = f"{row.value} answered as {cell.value}: {counted}{f', {cell.percent}' if cell.percent else ''}"
    return HeatCell(value, share, cell.count, cell.heat, cell.right, description)


def softened(words: str) -> str:
    """With soft hyphens in its long words: a column is as narrow as a phone's share of them.

    >>> softened("Impossible").split(SOFT_HYPHEN), softened("necessarily true").split(SOFT_HYPHEN)
    (['Im', 'pos', 'sible'], ['neces', 'sarily true'])
    """
    return " ".join(PARTED.sub(SOFT_HYPHEN, one) if len(one) >= LONG_WORD else one for one in words.split(" "))
