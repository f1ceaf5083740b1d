"""A table for readers: figures as the results show them, with a caption that says what they rest on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from comparison.statistics.estimate import Estimate

Cell = str | Estimate

# In place of n where a figure is undefined.
NOTHING = "–"
# How the intervals of a table were made, for its caption.
WILSON = "Brackets are 95 % intervals (Wilson)"
DRAWN = "Brackets are 95 % intervals (1,000 draws of the items, or of whole groups of items)"
BOTH = f"{DRAWN}, those of shares Wilson’s"
BONETT_WRIGHT = "Brackets are 95 % intervals (Bonett and Wright)"
TWO_WAY = "over items and annotators together, linearized, by Student’s t"
COUNTS = "Counts, which have no intervals"


@dataclass(frozen=True, slots=True)
class Shown:
    """The text of one cell, and the number of its note below the table; 0 where it has none."""

    text: str
    note: int = 0
    is_figure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`rests_on` says n in words, `method` how intervals were made, `mark` whose labels they are."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rests_on: str
    method: str
    mark: str

    @property
    def caption(self) -> str:
        return f"{self.title}. {self.small_print}"

    @property
    def small_print(self) -> str:
        """n, intervals, and whose labels."""
        return " ".join(f"{part.rstrip('.')}." for part in (self.rests_on, self.method, self.mark))

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns, and one for n where there are estimates."""
        return (*self.columns, "n") if self._has_estimates else self.columns

    @property
    def notes(self) -> tuple[str, ...]:
        """Why figures are undefined and what else to know of them, in the order of their numbers."""
        found = (_note(cell) for row in self.rows for cell in row)
        return tuple(dict.fromkeys(note for note in found if note))

    @property
    def lines(self) -> list[list[Shown]]:
        """Each row's cells as text, n last."""
        numbers = {note: number for number, note in enumerate(self.notes, 1)}
        lines = [[_shown(cell, numbers) for cell in row] for row in self.rows]
        if self._has_estimates:
            for line, row in zip(lines, self.rows, strict=True):
                line.append(Shown(_n(row)))
        return lines

    @property
    def _has_estimates(self) -> bool:
        return any(isinstance(cell, Estimate) for row in self.rows for cell in row)


def _shown(cell: Cell, numbers: Mapping[str, int]) -> Shown:
    if isinstance(cell, str):
        return Shown(cell)
    text = "undefined" if cell.value is None else cell.short
    return Shown(text, numbers.get(_note(cell), 0), is_figure=True)


def _note(cell: Cell) -> str:
    if isinstance(cell, str):
        return ""
    return f"undefined: {cell.undefined}" if cell.value is None else cell.remarks


def _n(row: Iterable[Cell]) -> str:
    """What the row's figures rest on: once where it is the same, else one after the other: `49; 40; 49`, `50; –`."""
    found = [_rests_on(cell) for cell in row if isinstance(cell, Estimate)]
    same = set(found) - {NOTHING}
    return "; ".join(same if len(same) < 2 else found)


def _rests_on(found: Estimate) -> str:
    return NOTHING if found.value is None else f"{found.n:,}{'' if found.unit == 'items' else f' {found.unit}'}"
