"""A table line by line, as what was asked for: `{what: text}`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.bounds import fault_of_columns
from corpus.errors import Fault
from corpus.tables.columns import MapError, in_json, named_in, place_of, plain, split, text_of, there, within
from corpus.tables.opening import OpenedTable

LONGEST_SHOWN = 200


def cells_of(table: OpenedTable, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
    """Each row's number and its cells under what they are (`columns`: what → COLUMN); a Fault where it has none."""
    if table.columns and (wrong := _misplaced(columns, table.columns, len(table.columns))):
        yield from ((1, fault) for fault in wrong)
        return
    parts = {what: _parts(one, table.columns, len(table.columns)) for what, one in columns.items() if table.columns}
    others: dict[str, bool] = {}
    for number, row in table.lines():
        if isinstance(row, Fault):
            yield number, row
        elif isinstance(row, Mapping):
            absent = {what: "" for what, one in columns.items() if not there(row, one) and _has(table, one, others)}
            read, faults = record_cells(row, {what: one for what, one in columns.items() if what not in absent})
            yield from ((number, fault) for fault in faults)
            if not faults:
                yield number, read | absent
        else:
            yield number, _joined(row, parts)


def _has(table: OpenedTable, column: str, present: dict[str, bool]) -> bool:
    """Whether any record has what one lacks: some programs leave missing values out. It is looked for once."""
    if column not in present:
        present[column] = any(isinstance(row, Mapping) and there(row, column) for _, row in table.lines())
    return present[column]


def _joined(row: Sequence[Any], parts: "Mapping[str, Parts]") -> dict[str, str] | Fault:
    """A row's cells under what they are; a Fault, with what it is, for one that is no text."""
    read = {}
    for what, of in parts.items():
        try:
            read[what] = "".join(_text(row, part) for part in of)
        except MapError as error:
            return Fault(what, str(error))
    return read


def shortened(text: str) -> str:
    """A text as a fault quotes it: a long one is cut."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def record_cells(
    record: Mapping[str, Any], columns: Mapping[str, str], header: Sequence[str] = ()
) -> tuple[dict[str, str], list[Fault]]:
    """A record's cells under what they are, and a fault for each column that it does not have.

    `header` are the columns of a table, in which numbers count.
    """
    cells: dict[str, str] = {}
    wrong = []
    for what, column in columns.items():
        try:
            cells[what] = text_of(record, column, header)
        except MapError as error:
            wrong.append(
                Fault(column, f"{error} (requested as {what}); the columns are {shortened(', '.join(record))}")
            )
    return cells, wrong


def _misplaced(columns: Mapping[str, str], header: Sequence[str], width: int) -> list[Fault]:
    """A fault for every column that is asked for and is not there."""
    if wrong := fault_of_columns(width):
        return [Fault("", wrong)]
    faults = []
    for what, column in columns.items():
        for one in [column] if column in header else named_in(column):
            if place_of(one, header, width) is None and not within(one, header):
                existing = shortened(", ".join(header)) if header else f"1 to {width}"
                faults.append(Fault(one, f"is not a column (requested as {what}); the columns are {existing}"))
    return faults


@dataclass(frozen=True, slots=True)
class _Inside:
    """A part of what a cell holds as JSON: the cell's place and its column, and how what is meant is called."""

    place: int
    column: str
    path: str

    def text(self, cell: Any) -> str:
        """Empty where it holds nothing there; MapError where it begins as JSON does, and is none."""
        if isinstance(cell, str) and cell.lstrip().startswith(("{", "[")) and in_json(cell) is cell:
            raise MapError(f"contains no JSON, and so no {self.path.removeprefix(self.column).lstrip('.')}")
        record = {self.column: cell}
        return text_of(record, self.path) if there(record, self.path) else ""


Parts = list["int | str | _Inside"]


def _parts(column: str, header: Sequence[str], width: int) -> Parts:
    """What a cell is put together from: places on the line, parts of what stands there, and texts between them."""
    parts: Parts = []
    for number, part in enumerate(split(column, header)):
        if number % 2:
            place = place_of(part, header, width)
            if place is None:
                name = within(part, header)
                assert name, "columns were checked on the first line"
                parts.append(_Inside(header.index(name), name, part))
            else:
                parts.append(place)
        else:
            parts.append(part)
    return parts


def _text(row: Sequence[Any], part: "int | str | _Inside") -> str:
    """MapError where what a cell holds there is no text."""
    if isinstance(part, str):
        return part
    return plain(row[part]) if isinstance(part, int) else part.text(row[part.place])
