"""The rows of a table, whatever file it is in, each with the place that a message about it names."""

import csv
from collections.abc import Iterator
from pathlib import Path

from corpus.characters import unstorable
from corpus.errors import Fault, SourceError
from corpus.json_lines import json_lines
from corpus.source_text import read_text, source_bytes
from corpus.tables.cells import JSON_LINES, delimiter_of
from stimuli.datasets.table.foreign import read_foreign
from stimuli.datasets.table.rows import Table, TableRow, names_twice

SHEETS = (".xlsx",)
DELIMITED = (".csv", ".tsv", ".tab", ".txt")


def read_table(path: Path, *, split: str = "", delimiter: str = "", sheet: str = "", format: str = "") -> Table:  # noqa: A002
    """The whole table, or the items of another tool's file, where one is named or seen (corpus/formats).

    SourceError, with every fault, if it is not as it should be.
    """
    if foreign := read_foreign(path, format=format, is_table=bool(split or delimiter or sheet)):
        return foreign
    if path.is_dir() or path.suffix.lower() == ".parquet":
        from stimuli.datasets.table.arrow import read_arrow

        return read_arrow(path, split=split)
    if split:
        raise SourceError(path, [Fault("--split", "is for folders; a file has no splits")])
    if path.suffix.lower() in SHEETS:
        from stimuli.datasets.table.sheet import read_sheet

        return read_sheet(path, sheet=sheet)
    if sheet:
        raise SourceError(path, [Fault("--sheet", "is for Excel files; this one has no sheets")])
    if path.suffix.lower() in JSON_LINES:
        return _json(path)
    if not delimiter and path.suffix.lower() not in DELIMITED:
        known = ", ".join([*DELIMITED, *JSON_LINES, *SHEETS, ".parquet"])
        raise SourceError(path, [Fault("file", f"is none of {known}, nor a folder; --delimiter reads other text")])
    return _delimited(path, delimiter or delimiter_of(source_bytes(path), path.name))


def _json(path: Path) -> Table:
    lines = list(json_lines(read_text(path)))
    faults = [line.fault for line in lines if line.fault]
    if faults:
        raise SourceError(path, faults)
    return Table((), [TableRow(line.where, line.value) for line in lines], (path,))


def _delimited(path: Path, delimiter: str) -> Table:
    # Only \n and \r\n end a line here; csv would also take other separators for line ends. Old spreadsheets write \r.
    text = read_text(path)
    lines = [line + "\n" for line in text.split("\n" if "\n" in text else "\r")]
    records = list(_records(path, lines, delimiter))
    if not records:
        raise SourceError(path, [Fault("file", "is empty")])
    (_, columns), *rest = records
    columns = [column.strip() for column in columns]
    faults = names_twice("line 1", columns)
    faults += [
        Fault(where, f"has {len(cells)} cells; the first line has {len(columns)}")
        for where, cells in rest
        if len(cells) != len(columns)
    ]
    if faults:
        raise SourceError(path, faults)
    rows = [TableRow(where, dict(zip(columns, cells, strict=True))) for where, cells in rest]
    return Table(tuple(columns), rows, (path,))


def _records(path: Path, lines: list[str], delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """The records that are not blank, each with the line it begins on."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    begins = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cut_off = "unexpected end of data" in str(error)
            wrong = "begins a quoted cell that never ends" if cut_off else f"cannot be read: {error}"
            raise SourceError(path, [Fault(f"line {begins}", wrong)]) from None
        wrong = unstorable("".join(cells))
        if wrong:
            raise SourceError(path, [Fault(f"line {begins}", wrong)])
        if any(cell.strip() for cell in cells):
            yield f"line {begins}", cells
        begins = reader.line_num + 1
