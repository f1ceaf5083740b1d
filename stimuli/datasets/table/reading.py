"""The rows of a table, whatever file it is in, each with the place that a message about it names.

Another tool's file gives its records as rows.
"""

import re
from collections.abc import Iterator, Mapping
from math import isnan
from pathlib import Path

from corpus.bounds import Size
from corpus.decimals import decimal
from corpus.errors import Fault, Remark, SourceError, listed
from corpus.formats.contract import Record
from corpus.formats.reading import read_format
from corpus.formats.registry import format_of, is_of_tool
from corpus.formats.source import FormatFault, of_path
from corpus.source_text import source_bytes
from corpus.tables.opening import AS_IT_SAYS, How, OpenedTable, Unreadable, as_text
from corpus.tables.registry import opened
from stimuli.datasets.table.rows import Table

# Such a folder is a table, of which --split chooses a part; packed, or named, it is read whole.
DATASET = "hf-dataset"
# Such a file is a table as well as a tool's.
PARQUET = ".parquet"

# With what a row begins that sums up those above it.
SUMS = frozenset((
    "total", "totals", "grand total", "sum", "mean", "average", "median", "sd", "n", "count", "summe", "gesamt",
    "mittelwert", "durchschnitt", "anzahl", "moyenne", "somme", "totale", "media", "promedio",
))  # fmt: skip
# Our own export of items, and texts that it joined of several: they cannot be taken apart again.
OWN = {"item", "text", "agreement", "people_score", "people_differ"}
JOINED = re.compile(r"\S → \S|\S / \S")
NO_WAY_BACK = (
    "is the export “items” of a study whose items have several texts, joined for reading. To recreate the study, "
    "download its folder under Setup, Study files, and load it under New study"
)


def read_foreign(path: Path, *, format: str, is_table: bool) -> Table | None:  # noqa: A002
    """The table of a tool's items; None where the file is a table, or is said to be one."""
    suffix = path.suffix.lower()
    if is_table or not (format or path.is_dir() or (suffix != PARQUET and is_of_tool(path.name, "items"))):
        return None
    try:
        source = of_path(path)
        format_name = format_of(source, "items", asked=format, is_mapped=True)
        if not format_name or (path.is_dir() and not format and format_name == DATASET):
            return None
        records = read_format(format_name, "items", source)
    except FormatFault as fault:
        raise SourceError(path, fault.faults) from None
    remarks = tuple(Remark("", text) for text in records.remarks)
    return Table((), list(records.rows), (path,), remarks=remarks)


def read_table(path: Path, *, split: str = "", format: str = "", how: How = AS_IT_SAYS) -> Table:  # noqa: A002
    """The whole table, or the items of another tool's file, where one is named or seen (corpus/formats).

    SourceError, with every fault, if it is not as it should be.
    """
    if foreign := read_foreign(path, format=format, is_table=bool(split or how.delimiter or how.sheet)):
        return foreign
    suffix = path.suffix.lower()
    if path.is_dir() or suffix == PARQUET:
        from stimuli.datasets.table.arrow import read_arrow

        return read_arrow(path, split=split)
    if split:
        raise SourceError(path, [Fault("--split", "applies only to folders; a file has no splits")])
    data = source_bytes(path)
    try:
        table = opened(data, path.name, how)
    except Unreadable as error:
        raise SourceError(path, [error.fault]) from None
    return _table(path, table)


def _table(path: Path, table: OpenedTable) -> Table:
    rows: list[Record] = []
    faulty: list[tuple[str, Fault]] = []
    size = Size()
    for number, cells in table.lines():
        where = table.where(number)
        if wrong := size.fault_with([] if isinstance(cells, Fault) else cells):
            raise SourceError(path, [Fault("file", wrong)])
        if isinstance(cells, Fault):
            at = f"{where}, {cells.field}" if cells.field else where
            faulty.append((where, Fault(at, cells.message)))
        elif isinstance(cells, Mapping):
            rows.append(Record(where, dict(cells)))
        else:
            rows.append(Record(where, dict(zip(table.columns, cells, strict=True))))
    remarks = [*_sums(table, rows)]
    if faulty and not rows:
        raise SourceError(path, [fault for _, fault in faulty])
    if set(table.columns) >= OWN and rows and all(JOINED.search(_said(row.values["text"])) for row in rows):
        raise SourceError(path, [Fault("file", NO_WAY_BACK)])
    return Table(
        columns=table.columns,
        rows=rows,
        files=(path,),
        faulty=tuple(faulty),
        remarks=(*table.remarks, *remarks, *_unread(faulty)),
        unstored=table.unstored,
        encoding=table.encoding,
        delimiter=table.delimiter,
        sheet=table.sheet,
        sheets=table.sheets,
    )


def _sums(table: OpenedTable, rows: list[Record]) -> Iterator[Remark]:
    """Takes away rows at the end that sum up: `Total`, and numbers or nothing where all others have a text."""
    end = len(rows)
    while table.columns and end and _may_be_sum(rows[end - 1]):
        end -= 1
    # The first column's texts may be names, among which `Total` is one.
    if not any(all(_is_text(row.values[name]) for row in rows[:end]) for name in table.columns[1:]) or not end:
        return
    for row in rows[end:]:
        rows.remove(row)
        yield Remark(row.where, "sums up the rows above and is left out")


def _may_be_sum(row: Record) -> bool:
    first, *others = [cell for cell in map(_said, row.values.values()) if cell] or [""]
    return first.rstrip(":").casefold() in SUMS and not any(map(_is_text, others))


def _said(cell: object) -> str:
    return as_text(cell).strip()


def _is_text(cell: object) -> bool:
    return bool(_said(cell)) and isnan(decimal(_said(cell)))


def _unread(faulty: list[tuple[str, Fault]]) -> Iterator[Remark]:
    if faulty:
        places = [where.partition(" ")[2] for where, _ in faulty]
        word = faulty[0][0].partition(" ")[0]
        yield Remark(listed(places, word=word), f"cannot be read: {faulty[0][1].message}")
