"""From a tool's file to records, and from records to what an importer asks for."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from corpus.bounds import MOST_FAULTS, MOST_ROWS, Size
from corpus.errors import Fault
from corpus.formats.contract import Record, Use
from corpus.formats.registry import FORMATS, TABLE, format_of, formats_for, reader
from corpus.formats.source import FormatFault, Source, refused
from corpus.tables.cells import record_cells
from corpus.tables.columns import MapError, text_of, there
from corpus.tables.encodings import UTF_8, encoding_of
from corpus.tables.opening import AS_IT_SAYS, How, Unreadable
from corpus.tables.registry import BEGINNINGS, PACKED, form_named, opened

# Of so many records it is seen which fields there are.
MOST_LOOKED = 10_000
# Of the first rows of a long file, which a page looks through whenever it is shown.
CHARACTERS_SHOWN = 2_000_000


@dataclass(frozen=True)
class Records:
    """A tool's file, read for one use. `name` and `sha256` are the file's own; `left_out` were not asked for."""

    name: str
    sha256: str
    format: str
    rows: Sequence[Record]
    left_out: int = 0
    # What the file says of itself: `model`, and `status` where what it tells of did not end well.
    says: Mapping[str, str] = field(default_factory=dict)
    # What was noticed in it and is no fault, in sentences.
    remarks: tuple[str, ...] = ()
    # Of a table: its columns, where each row does not bring its own, how it was read, and the sheets there are.
    columns: tuple[str, ...] = ()
    how: How = AS_IT_SAYS
    sheets: tuple[str, ...] = ()
    # Rows that are not here, where only the first were asked for.
    beyond: int = 0

    @property
    def names(self) -> list[str]:
        """What the first record has a name for."""
        return list(self.rows[0].values) if self.rows else []

    @property
    def tool(self) -> str:
        """Empty of a table, which is nobody's."""
        return "" if self.format == TABLE else FORMATS[self.format].tool

    def where(self, number: int) -> str:
        """Where the record of that number, from 1, stands in the file."""
        return self.rows[number - 1].where

    def cells(self, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
        """Each record's number and its cells under what they are, as `cells` of `corpus.tables` has a table's.

        What other records have and this one lacks, such as an answer, is empty.
        """
        optional = {
            what
            for what, column in columns.items()
            if any(there(row.values, column, self.columns) for row in self.rows[:MOST_LOOKED])
        }
        for number, row in enumerate(self.rows, start=1):
            absent = dict.fromkeys(
                (what for what in optional if not there(row.values, columns[what], self.columns)), ""
            )
            present = {what: column for what, column in columns.items() if what not in absent}
            cells, wrong = record_cells(row.values, present, self.columns)
            cells |= absent
            yield from ((number, fault) for fault in wrong)
            if not wrong:
                yield number, cells


def read_format(name: str, use: Use, source: Source, *, only: Mapping[str, str] | None = None) -> Records:
    """The records of a file; FormatFault with every fault. `only` (column → text) leaves out the records without it."""
    if use not in FORMATS[name].uses:
        raise refused(
            "--format", f"{FORMATS[name].tool} has no {use} to read; use one of: {', '.join(formats_for(use))}"
        )
    module = reader(name)
    rows: list[Record] = []
    faults: list[Fault] = []
    for parsed in getattr(module, use)(source):
        if isinstance(parsed, Fault):
            faults.append(parsed)
        else:
            rows.append(parsed)
        if len(faults) >= MOST_FAULTS or len(rows) > MOST_ROWS:
            break
    if len(rows) > MOST_ROWS:
        faults = [Fault("file", f"has more than {MOST_ROWS:,} records; split it into several files")]
    if faults:
        raise FormatFault(faults)
    says = module.says(source) if hasattr(module, "says") else {}
    parsed = chosen(Records(source.name, source.sha256, name, rows, says=says), only or {})
    return replace(parsed, remarks=tuple(module.remarks(parsed.rows))) if hasattr(module, "remarks") else parsed


def read_foreign(
    source: Source, use: Use, *, asked: str = "", is_mapped: bool = False, only: Mapping[str, str] | None = None
) -> Records | None:
    """The records of another tool's file, of the format that is asked for or seen; None for a table. FormatFault."""
    name = format_of(source, use, asked=asked, is_mapped=is_mapped)
    return read_format(name, use, source, only=only) if name else None


def read_records(
    source: Source,
    data: bytes | None,
    use: Use,
    *,
    asked: str = "",
    is_mapped: bool = False,
    only: Mapping[str, str] | None = None,
    how: How = AS_IT_SAYS,
) -> Records | None:
    """As `read_foreign`, and the rows of a table that has to be opened. `data` is the file's; a folder has none."""
    records = read_foreign(source, use, asked=asked, is_mapped=is_mapped, only=only)
    if records is None and data is not None and is_opened(source.name, data, how.encoding):
        return read_table(source.name, data, only=only, how=how)
    return records


def is_opened(name: str, data: bytes, encoding: str = "") -> bool:
    """Whether a table is in another form than text in UTF-8, and has to be opened before it is read line by line."""
    form = form_named(name)
    is_packed = data.startswith((PACKED, *BEGINNINGS))
    return is_packed or (form is not None and not form.by_line) or (encoding or encoding_of(data)) != UTF_8


def read_table(name: str, data: bytes, *, only: Mapping[str, str] | None = None, how: How = AS_IT_SAYS) -> Records:
    """A table in such a form, as records; FormatFault."""
    try:
        table = opened(data, name, how)
    except Unreadable as error:
        raise FormatFault([error.fault]) from None
    rows: list[Record] = []
    faults: list[Fault] = []
    size = Size()
    for number, row in table.lines():
        if wrong := size.fault_with([] if isinstance(row, Fault) else row):
            raise refused("file", wrong)
        if isinstance(row, Fault):
            faults.append(row.under(table.where(number)))
        else:
            values = row if isinstance(row, Mapping) else dict(zip(table.columns, row, strict=True))
            rows.append(Record(table.where(number), dict(values)))
    if faults:
        raise FormatFault(faults[:MOST_FAULTS])
    records = Records(
        name,
        hashlib.sha256(data).hexdigest(),
        TABLE,
        rows,
        remarks=tuple(map(str, table.remarks)),
        columns=table.columns,
        how=replace(how, sheet=table.sheet, encoding=table.encoding),
        sheets=table.sheets,
    )
    return chosen(records, only or {})


def first_rows(records: Records, most: int) -> Records:
    """The first of them, for a page that shows some."""
    count = rows_that_fit(records.rows, most)
    return replace(records, rows=records.rows[:count], beyond=len(records.rows) - count)


def rows_that_fit(rows: Sequence[Record], most: int) -> int:
    """How many of the first rows a page looks through, by their number and characters: one at least."""
    lengths = (sum(len(name) + len(str(value)) for name, value in row.values.items()) for row in rows[:most])
    return max(sum(1 for so_far in accumulate(lengths) if so_far <= CHARACTERS_SHOWN), min(len(rows), 1))


def chosen(records: Records, only: Mapping[str, str]) -> Records:
    """Those records that say just this; FormatFault where none does."""
    if not only:
        return records
    remaining = [row for row in records.rows if all(_said(row, column) == text for column, text in only.items())]
    if records.rows and not remaining:
        condition = ", ".join(f"{column}={text}" for column, text in only.items())
        raise refused("--only", f"no record has {condition}")
    return replace(records, rows=remaining, left_out=len(records.rows) - len(remaining))


def _said(row: Record, column: str) -> str:
    try:
        return text_of(row.values, column)
    except MapError:
        return ""
