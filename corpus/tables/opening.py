"""A table as it lies in a file: where its head is, what its columns are called, and its rows, each with its place.

A reader for each form: delimited text and JSON in any encoding, and workbooks, the same for items, labels and scores.
What it noticed and did are a table's remarks; what it cannot read is a fault of a row, or Unreadable.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.bounds import MOST_COLUMNS, fault_of_columns
from corpus.characters import unguarded, unstorable, unstorable_within
from corpus.errors import Fault, Remark, listed
from corpus.source_text import NotText, as_null, json_lines, without_repeats
from corpus.tables.encodings import UTF_8, encoding_of, remark_on, text_in
from corpus.tables.heads import Head, head_cells, head_place, is_known, looks_like_data, named, no_row, no_rows_of_sheet
from corpus.tables.quotes import DELIMITERS, LOOKED_AT, TAB, Quotes, Seen, quotes_of, start_of, unescaped

# JSON lines have no delimiter.
RECORDS = ""
# How files that Parallax exports begin; their texts that would run as a formula have an apostrophe in front. Somebody
# may have taken columns away: two that stand together in no other file are enough.
OURS = ("study", "population")
OUR_NAMES = ({*OURS}, {"population", "item"}, {"item", "people_differ"}, {"item", "response_ms"})
# How lines begin that may be no rows.
MAY_BE_NONE = ("#", '"#', "|", "-", ":")
# What Excel writes where there is no value.
NO_VALUE = "#N/A"


class Unreadable(ValueError):
    """A file of which no table can be read. `fault` says why, by its line where that is known."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(f"{fault.field}: {fault.message}" if fault.field else fault.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a table is read, where its file does not say so itself: empty is what it says, or looks like."""

    sheet: str = ""
    encoding: str = ""
    delimiter: str = ""
    header: bool = True


AS_IT_SAYS = How()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedTable:
    """A table that can be read row by row, again and again.

    `columns` is empty where each row brings its own names (JSON). `lines` gives each row's number and its cells in the
    order of `columns`, or a mapping where there are none, or a Fault. `word` is what a row's number counts, `head` the
    number of the row with the names. `unstored` are columns in which formulas have no stored value.
    """

    columns: tuple[str, ...]
    lines: Callable[[], Iterator[tuple[int, Sequence[Any] | Mapping[str, Any] | Fault]]] = field(repr=False)
    remarks: tuple[Remark, ...] = ()
    word: str = "line"
    head: int = 0
    delimiter: str = RECORDS
    encoding: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    unstored: tuple[str, ...] = ()

    def where(self, number: int) -> str:
        return f"{self.word} {number}"

    @property
    def names(self) -> list[str]:
        """The names of its columns; where each row brings its own, those of all, as many as a table may have."""
        names = dict.fromkeys(self.columns)
        for _, row in () if names else self.lines():
            names.update(dict.fromkeys(row) if isinstance(row, Mapping) else {})
            if len(names) > MOST_COLUMNS:
                break
        return [*names][:MOST_COLUMNS]


def _text(data: bytes, how: How) -> tuple[str, str, list[Remark]]:
    """The text, its encoding, and what is said of one that nobody asked for; Unreadable."""
    encoding = how.encoding or encoding_of(data)
    try:
        text = text_in(data, encoding)
    except NotText as error:
        raise Unreadable(Fault(f"line {error.line}", str(error))) from None
    return text, encoding, [remark_on(encoding, data)] if not how.encoding and encoding != UTF_8 else []


# --- Delimited text --------------------------------------------------------------------------------------------------


def read_delimited(data: bytes, how: How, *, parted_by: str = "") -> OpenedTable:
    """`parted_by` says what parts its cells where nobody does; without it, that is seen."""
    text, encoding, remarks = _text(data, how)
    header = how.header
    # Only \n and \r\n end a line here. Old spreadsheets write \r.
    lines = [line.removesuffix("\r") for line in text.split("\n")] if "\n" in text else text.split("\r")
    start, delimiter = start_of(lines, how.delimiter, parted_by)
    lines, escape_remarks = unescaped(lines, start=start, delimiter=delimiter)
    remarks += escape_remarks
    rows = _first_rows(lines, start, delimiter)
    place = head_place([cells for _, cells in rows]) if header else 0
    number = rows[place][0]
    cells, is_of_two = head_cells([row for _, row in rows], place)
    _refuse_width(max(len(row) for _, row in rows), _line(number))
    remarks += _said_of_rows_above([line for line, _ in rows[:place]], number, is_of_two=is_of_two, word="line")
    quotes, seen = quotes_of(lines, start=number - 1, delimiter=delimiter)
    first = [row for _, row in rows[place + header :]]
    row_names = header and _names_rows(cells, first, delimiter, lines[number - 1])
    is_gapped = header and not all(map(str.strip, cells))
    below = (row for at, row in quotes.rows(lines, start=number - 1) if at > number) if is_gapped else first
    filled = _filled(row[: len(cells) + row_names] for row in below)
    head = named(cells if header else [], filled, where=_line(number), below=first, row_names=row_names)
    doubtful = "\0" in text
    cut_off = 0 if delimiter == TAB else _cut_off(lines, seen)
    apart = _no_rows(lines, quotes, number, cells) if header else {}
    remarks += [*_said_of_quotes(seen), *head.remarks, *_said_of_no_rows(apart, "line")]

    def read() -> Iterator[tuple[int, Sequence[str] | Fault]]:
        for at, row in quotes.rows(lines, start=number - 1):
            if (at > number or not header) and at not in apart and any(map(str.strip, row)):
                wrong = unstorable("".join(row)) if doubtful else ""
                wrong = "starts a quoted cell that is never closed" if at == cut_off else wrong
                yield at, Fault("", wrong) if wrong else _fitted(row, head, delimiter, header=header)

    return OpenedTable(
        columns=head.columns, lines=read, remarks=tuple(remarks), head=number, delimiter=delimiter, encoding=encoding
    )


def _said_of_rows_above(above: list[int], number: int, *, is_of_two: bool, word: str) -> Iterator[Remark]:
    """What becomes of the rows above the head; the last of them is part of it where the head is of two rows."""
    if is_of_two:
        yield Remark(listed([above.pop(), number], word=word), "read as one header")
    if above:
        yield Remark(listed(above, word=word), f"above the table and left out; {word} {number} is the header")


def _no_rows(lines: Sequence[str], quotes: Quotes, number: int, head: Sequence[str]) -> dict[int, str]:
    """Lines below the head that are no rows, each with what it is."""
    line = lines[number - 1]
    maybe = {at for at, one in enumerate(lines, 1) if at > number and (one == line or one.startswith(MAY_BE_NONE))}
    rows = quotes.rows(lines, start=number - 1) if maybe else ()
    return {at: why for at, cells in rows if at in maybe and (why := no_row(cells, head, is_alone=len(cells) == 1))}


def _said_of_no_rows(apart: Mapping[int, str], word: str) -> Iterator[Remark]:
    for why in dict.fromkeys(apart.values()):
        yield Remark(listed([at for at, one in apart.items() if one == why], word=word), why)


def _refuse_width(columns: int, where: str) -> None:
    if wrong := fault_of_columns(columns):
        raise Unreadable(Fault(where, wrong))


def _first_rows(lines: Sequence[str], start: int, delimiter: str) -> list[tuple[int, list[str]]]:
    nonblank = (row for row in Quotes(delimiter, 0).rows(lines, start=start) if any(map(str.strip, row[1])))
    rows = [row for row, _ in zip(nonblank, range(LOOKED_AT), strict=False)]
    if not rows:
        raise Unreadable(Fault("file", "is empty"))
    return rows


def _cut_off(lines: Sequence[str], seen: Seen) -> int:
    """The last line, where a mark opens on it: there a file may have been cut off. Else 0."""
    last = max((at for at, line in enumerate(lines, start=1) if line.strip()), default=0)
    return last if last in seen.unclosed else 0


def _names_rows(cells: Sequence[str], below: Sequence[Sequence[str]], delimiter: str, line: str) -> bool:
    """Whether each row has one cell more than the head, its name, as R writes tables: quoted, or between tabs."""
    is_written_so = delimiter == TAB or line.startswith('"')
    return is_written_so and all(cells) and bool(below) and all(len(one) == len(cells) + 1 for one in below)


def _filled(rows: Iterable[Sequence[str]]) -> list[bool]:
    """Of each place, whether any of the rows has something there."""
    filled: list[bool] = []
    for cells in rows:
        filled += [False] * (len(cells) - len(filled))
        for place, cell in enumerate(cells):
            filled[place] = filled[place] or bool(cell.strip())
    return filled


def _fitted(cells: Sequence[str], head: Head, delimiter: str, *, header: bool) -> Sequence[str] | Fault:
    """A row's cells, as many as there are columns; cells at the end that are empty may be too many."""
    extra = cells[head.width :]
    if len(cells) < head.width or any(map(str.strip, extra)):
        hint = f"; a cell that contains {_called(delimiter)} needs quotation marks" if extra else ""
        are = "cell" if len(cells) == 1 else "cells"
        others = f"the header has {head.width}" if header else f"others have {head.width}"
        return Fault("", f"has {len(cells)} {are}; {others}{hint}")
    fitted = cells if len(cells) == len(head.kept) else [cells[place] for place in head.kept]
    return [unguarded(cell) for cell in fitted] if _is_ours(head) else fitted


def _is_ours(head: Head) -> bool:
    return any(names.issubset(head.columns) for names in OUR_NAMES)


def _called(delimiter: str) -> str:
    names = {sign: name for name, sign in DELIMITERS.items()} | {" ": "space"}
    return f"a {names.get(delimiter, repr(delimiter))}"


def _said_of_quotes(seen: Seen) -> Iterator[Remark]:
    if seen.joined:
        yield Remark(_spans(seen.joined), "quotation marks join these lines into one row each")
    if seen.apart:
        wrong = (
            "a quotation mark opens here and closes lines below; the lines are read as separate rows with their marks"
        )
        yield Remark(_spans(seen.apart), wrong)
    if seen.unclosed:
        yield Remark(listed(seen.unclosed), "a quotation mark is never closed; it is kept as text")
    reported = {*seen.unclosed, *(line for span in seen.apart for line in span)}
    if lines := [line for line in dict.fromkeys(seen.kept) if line not in reported]:
        yield Remark(listed(lines), "quotation marks are part of the text and kept")


def _spans(spans: Sequence[tuple[int, int]]) -> str:
    places = listed([f"{first}–{last}" for first, last in spans])
    return places if len(spans) > 1 else places.replace("line ", "lines ")


def _line(number: int) -> str:
    return f"line {number}"


# --- JSON ------------------------------------------------------------------------------------------------------------


def read_json(data: bytes, how: How, *, is_lines: bool = False) -> OpenedTable:
    text, encoding, remarks = _text(data, how)
    value = None if is_lines else _json(text)
    if value is not None:
        records, record_remarks = _records(value)
        return OpenedTable(
            columns=(),
            lines=lambda: enumerate(map(_sound, records), start=1),
            remarks=(*remarks, *record_remarks),
            word="record",
            encoding=encoding,
        )

    def read() -> Iterator[tuple[int, Mapping[str, Any] | Fault]]:
        for line in json_lines(text, lax=True):
            yield line.number, Fault("", line.fault.message) if line.fault else line.value

    return OpenedTable(columns=(), lines=read, remarks=tuple(remarks), encoding=encoding)


def _json(text: str) -> Any:
    """The value of the whole text; None where it holds several, as JSON lines that are called .json do."""
    try:
        return json.loads(text, parse_constant=as_null, object_pairs_hook=without_repeats)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return None
        wrong = f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise Unreadable(Fault("file", wrong)) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(Fault("file", f"is not readable JSON: {error}")) from None


def _records(value: Any) -> tuple[Sequence[Any], list[Remark]]:
    """The records in a JSON value: a list, a list in an object (`data`), columns as pandas writes them, or by ids."""
    if isinstance(value, dict):
        value = _within(value)
    if not isinstance(value, list):
        raise Unreadable(Fault("file", 'contains no list of records, such as [{"id": "1", "sentence": "…"}]'))
    head, *rows = value or [None]
    if _are_names(head) and any(map(is_known, head)) and all(isinstance(one, list) for one in rows):
        return _under(head, rows), [Remark("the first list", "is read as the header")]
    return value, []


def _are_names(head: Any) -> bool:
    is_list = isinstance(head, list) and all(isinstance(name, str) for name in head)
    return is_list and len({*head}) == len(head) and not looks_like_data(head)


def _under(head: Sequence[str], rows: Sequence[Any]) -> list[Any]:
    """Lists as records by the names in the head; one of another length is none."""
    return [dict(zip(head, row, strict=True)) if len(row) == len(head) else row for row in rows]


def _within(value: dict[str, Any]) -> Any:
    """What of an object is the table."""
    lists = {name: one for name, one in value.items() if isinstance(one, list) and one}
    of_records = [name for name, one in lists.items() if all(isinstance(each, dict) for each in one)]
    if len(of_records) > 1:
        raise Unreadable(Fault("file", f"contains several lists of records ({', '.join(of_records)}); keep one"))
    if of_records:
        return lists[of_records[0]]
    of_rows = [one for one in lists.values() if all(isinstance(each, list) for each in one)]
    if len(of_rows) == 1:
        head: Any = lists.get("columns")
        return _under(head, of_rows[0]) if _are_names(head) else of_rows[0]
    if lists and len(lists) == len(value) and len({len(one) for one in lists.values()}) == 1:
        return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    are_objects = value and all(isinstance(one, dict) for one in value.values())
    return _of_objects(value) if are_objects else value


def _of_objects(value: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Objects in an object: records by their ids, or columns by the numbers or ids of their rows."""
    within = dict.fromkeys(name for one in value.values() for name in one)
    if all(one.keys() == within.keys() for one in value.values()) and _names_columns(value) > _names_columns(within):
        return [{name: column[key] for name, column in value.items()} for key in within]
    if _names_columns(within) > _names_columns(value):
        return [{"id": key, **record} for key, record in value.items()]
    wrong = "contains nested objects without a list of rows; write a list of records"
    raise Unreadable(Fault("file", wrong))


def _names_columns(names: Collection[str]) -> int:
    """How much names look like those of columns: 0 for ids, which are numbers or one word with different numbers."""
    if any(is_known(name) for name in names):
        return 2
    forms = {re.sub(r"\d+", "0", name) for name in names}
    return 0 if len(forms) == 1 and "0" in forms.pop() else 1


def _sound(record: Any) -> Mapping[str, Any] | Fault:
    if not isinstance(record, dict):
        return Fault("", f"must be a JSON object, not {type(record).__name__}")
    wrong = fault_of_columns(len(record)) or unstorable_within(record)
    return Fault("", wrong) if wrong else record


# --- Excel -----------------------------------------------------------------------------------------------------------


def read_excel(data: bytes, how: How) -> OpenedTable:
    # Its library stays out of the process that serves pages, which reads no workbook.
    from corpus.tables.sheet import NotSheet, read_cells

    try:
        sheet = read_cells(data, sheet=how.sheet)
    except NotSheet as error:
        raise Unreadable(Fault("--sheet" if how.sheet else "file", str(error))) from None
    if not sheet.rows:
        raise Unreadable(Fault("file", "is empty"))
    _refuse_width(max(len(cells) for _, cells in sheet.rows), "file")
    texts = [[as_text(cell) for cell in cells] for _, cells in sheet.rows[:LOOKED_AT]]
    place = head_place(texts) if how.header else 0
    number, body = sheet.rows[place][0], sheet.rows[place + how.header :]
    names, is_of_two = head_cells(texts, place)
    above = _said_of_rows_above([row for row, _ in sheet.rows[:place]], number, is_of_two=is_of_two, word="row")
    apart = no_rows_of_sheet({at: [*map(as_text, cells)] for at, cells in body}, names) if how.header else {}
    body = [(at, cells) for at, cells in body if at not in apart]
    remarks = [*sheet.remarks, *above, *_said_of_no_rows(apart, "row")]
    filled = _filled([as_text(cell) for cell in cells] for _, cells in body)
    for column in sheet.unstored:
        # A formula is something, though nothing of it can be read.
        filled[column - 1 : column] = [True]
    head = named(names if how.header else [], filled, where=f"row {number}", below=texts[place + 1 :])
    unstored = {name: sheet.unstored.get(at + 1, ()) for name, at in zip(head.columns, head.kept, strict=True)}
    for name, rows in unstored.items():
        if rows:
            wrong = f"formulas without a stored value ({listed(rows, word='row')}); open the file in Excel and save it"
            remarks.append(Remark(f"column “{name}”", wrong))
    return OpenedTable(
        columns=head.columns,
        lines=lambda: ((row, _cells_of_sheet(cells, head)) for row, cells in body),
        remarks=(*remarks, *head.remarks),
        word="row",
        head=number,
        sheet=sheet.name,
        sheets=sheet.names,
        unstored=tuple(name for name, rows in unstored.items() if rows),
    )


def _cells_of_sheet(cells: Sequence[Any], head: Head) -> Sequence[Any] | Fault:
    wide = [*cells, *[None] * (head.width - len(cells))]
    chosen = [None if wide[at] == NO_VALUE else wide[at] for at in head.kept]
    for name, cell in zip(head.columns, chosen, strict=True):
        if isinstance(cell, str) and (wrong := unstorable(cell)):
            return Fault(f"column {name!r}", wrong)
    if _is_ours(head):
        return [unguarded(cell) if isinstance(cell, str) else cell for cell in chosen]
    return chosen


def as_text(cell: Any) -> str:
    """A cell as text, where it is a name."""
    return "" if cell is None else str(cell)
