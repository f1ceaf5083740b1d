"""Excel workbooks: one sheet, whose first filled row names the columns."""

import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from openpyxl.cell.cell import ERROR_CODES

from corpus.characters import unstorable
from corpus.errors import Fault, SourceError
from stimuli.datasets.table.rows import Table, TableRow, names_twice

# Unpacked, in bytes: a workbook is a zip file, and a small one may hold far more than any table of items.
MOST_UNPACKED = 400 * 1024 * 1024
MOST_COLUMNS = 1_000


def read_sheet(path: Path, *, sheet: str = "") -> Table:
    """The sheet of that name, or the first. Of a formula, the value that was stored when the file was saved.

    SourceError, with every fault by row and column, if it is not as it should be.
    """
    _refuse_bombs(path)
    try:
        book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        names = [one.title for one in book.worksheets]
        if sheet and sheet not in names:
            raise SourceError(path, [Fault("--sheet", f"there is no {sheet!r}; there are {', '.join(names)}")])
        if not names:
            raise SourceError(path, [Fault("file", "holds no sheet of cells")])
        chosen = book[sheet or names[0]]
        # What a file says of its own size may be wrong; then cells would be left out.
        chosen.reset_dimensions()
        records = list(_filled(chosen.iter_rows(values_only=True)))
        book.close()
    except SourceError:
        raise
    except Exception as error:
        # The library raises whatever a broken file makes it stumble over: KeyError, ValueError, ParseError and others.
        raise SourceError(path, [Fault("file", f"cannot be read as an Excel file ({type(error).__name__})")]) from error
    return _table(path, records)


def _refuse_bombs(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as packed:
            unpacked = sum(one.file_size for one in packed.infolist())
    except (OSError, zipfile.BadZipFile):
        raise SourceError(path, [Fault("file", "is no .xlsx file, or is cut off; save it as .xlsx again")]) from None
    if unpacked > MOST_UNPACKED:
        most = MOST_UNPACKED // 1024**2
        raise SourceError(path, [Fault("file", f"is {unpacked // 1024**2:,} MB unpacked; {most} MB are the most")])


def _filled(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[int, list[Any]]]:
    """Rows in which anything stands, by their number in the sheet, without the empty cells at their end."""
    for number, cells in enumerate(rows, start=1):
        kept = list(cells)
        while kept and (kept[-1] is None or kept[-1] == ""):
            kept.pop()
        if kept:
            yield number, kept


def _table(path: Path, records: Sequence[tuple[int, list[Any]]]) -> Table:
    if not records:
        raise SourceError(path, [Fault("file", "is empty")])
    (first, header), *rest = records
    columns = [str(_plain(cell) if cell is not None else "").strip() for cell in header]
    faults = names_twice(f"row {first}", columns)
    faults += [
        Fault(f"row {first}", f"has no name for column {place}")
        for place, name in enumerate(columns, start=1)
        if not name
    ]
    if len(columns) > MOST_COLUMNS:
        faults.append(Fault(f"row {first}", f"has {len(columns):,} columns; {MOST_COLUMNS:,} are the most"))
    for number, cells in rest:
        if len(cells) > len(columns):
            faults.append(Fault(f"row {number}", f"has {len(cells)} cells; row {first} names {len(columns)} columns"))
        faults += [
            Fault(f"row {number}, column {name!r}", wrong)
            for name, cell in zip(columns, cells, strict=False)
            if (wrong := _wrong(cell))
        ]
    if faults:
        raise SourceError(path, faults)
    rows = [
        TableRow(
            f"row {number}",
            dict(zip(columns, [_plain(cell) for cell in cells] + [None] * (len(columns) - len(cells)), strict=True)),
        )
        for number, cells in rest
    ]
    return Table(tuple(columns), rows, (path,))


def _wrong(cell: Any) -> str:
    if isinstance(cell, str):
        return f"holds the error {cell}" if cell in ERROR_CODES else unstorable(cell)
    return ""


def _plain(cell: Any) -> Any:
    """Dates as they are written in ISO 8601; one at midnight is a day."""
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date | time) else cell
