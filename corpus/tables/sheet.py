"""Excel workbooks: the cells of one sheet, and what an Excel file says beside them.

Openpyxl gives values alone. Which rows and columns are hidden, which cells are merged and which formulas have no stored
value stands in the sheet's XML, which is read once more for it.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import IO, Any

from openpyxl import load_workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.utils import column_index_from_string, get_column_letter, range_boundaries
from openpyxl.xml.functions import iterparse

from corpus.bounds import MOST_SHEET_CELLS
from corpus.errors import Remark, listed

# Unpacked, in bytes: a workbook is a zip file, and a small one may hold far more than any table of items.
MOST_UNPACKED = 400 * 1024 * 1024
# Rows in merged cells that are looked at; more are a drawing.
MOST_MERGED = 100_000
MOST_SHEET_ROWS = 1_048_576
ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
# A format that shows so many digits at least.
ZEROS = re.compile(r"0{2,}")
PLACE = re.compile(r"([A-Z]+)(\d+)")
# So small a sheet is read at once, in bytes.
SMALL = 1024 * 1024
# A cell that has a format and nothing in it, as of a column that somebody colored down to its end; and a row of such.
BLANK = re.compile(rb"<c(?=[\s/>])[^<>]*(?:/>|></c>)")
PLACELESS = re.compile(rb'<c(?=[\s/>])(?![^<>]*\sr=")')
NUMBERED = re.compile(rb'<row [^<>]*\br="')
BLANK_ROW = re.compile(rb"<row(?=[\s>])[^<>]*></row>")


class NotSheet(ValueError):
    """Bytes that are no workbook, or one without such a sheet. str() says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows in which anything stands, by their number in the sheet, with what was noticed."""

    name: str
    names: tuple[str, ...]
    rows: list[tuple[int, list[Any]]]
    remarks: tuple[Remark, ...]
    # Rows of formulas without a stored value, by column from 1.
    unstored: Mapping[int, Sequence[int]]


@dataclass(slots=True)
class _Beside:
    """What the XML of a sheet says beside its values, by row and column from 1."""

    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[int] = field(default_factory=list)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    struck: list[int] = field(default_factory=list)
    unstored: dict[int, list[int]] = field(default_factory=dict)


def read_cells(data: bytes, *, sheet: str = "") -> Sheet:
    """The sheet of that name, or of those that are not hidden the one with most cells; NotSheet."""
    _refuse_bombs(data)
    try:
        book = load_workbook(_lean(data), read_only=True, data_only=True, keep_links=False, rich_text=True)
        names = [one.title for one in book.worksheets if one.sheet_state == "visible"] or book.sheetnames
        if sheet and sheet not in book.sheetnames:
            raise NotSheet(f"there is no sheet {sheet!r}; there are {', '.join(book.sheetnames)}")
        if not names:
            raise NotSheet("contains no sheet with cells")
        table, values = _largest([book[sheet]] if sheet else [book[name] for name in names])
        with table._get_source() as source:
            layout = _read_merged(source)
        book.close()
    except NotSheet:
        raise
    except Exception as error:
        # The library raises whatever a broken file makes it stumble over: KeyError, ValueError, ParseError and others.
        raise NotSheet(f"cannot be read as an Excel file ({type(error).__name__})") from error
    others = [one for one in names if one != table.title]
    remarks = _remarks(table.title, others, layout, values)
    return Sheet(table.title, tuple(names), sorted(values.rows.items()), tuple(remarks), layout.unstored)


def _refuse_bombs(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            unpacked = sum(one.file_size for one in packed.infolist())
    except zipfile.BadZipFile:
        raise NotSheet("is not an .xlsx file or is truncated; save it as .xlsx again") from None
    if unpacked > MOST_UNPACKED:
        most = MOST_UNPACKED // 1024**2
        raise NotSheet(f"is {unpacked // 1024**2:,} MB unpacked; the limit is {most} MB")


def _lean(data: bytes) -> io.BytesIO:
    """The workbook without cells in which nothing stands, each of which would take as long as another."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        infos = packed.infolist()
        if not any(_may_be_blank(one) for one in infos):
            return io.BytesIO(data)
        lean = io.BytesIO()
        with zipfile.ZipFile(lean, "w") as out:
            for one in infos:
                read = packed.read(one)
                out.writestr(one.filename, _filled(read) if _may_be_blank(one) else read)
    lean.seek(0)
    return lean


def _may_be_blank(member: zipfile.ZipInfo) -> bool:
    return "/worksheets/" in member.filename and member.file_size > SMALL


def _filled(xml: bytes) -> bytes:
    # In a comment or an unparsed text the same signs are no cells. A cell without its place is the one after the last.
    if b"<!" in xml or PLACELESS.search(xml):
        return xml
    xml = BLANK.sub(b"", xml)
    # A row without its number is the one below the last.
    return BLANK_ROW.sub(b"", xml) if xml.count(b"<row") == len(NUMBERED.findall(xml)) else xml


@dataclass(slots=True)
class _Values:
    """Rows in which anything stands, by number, without empty cells at their end.

    `struck` are those with text that is struck out, `dated` the cells that are a day or a time.
    """

    rows: dict[int, list[Any]] = field(default_factory=dict)
    struck: list[int] = field(default_factory=list)
    dated: list[str] = field(default_factory=list)

    @property
    def widest(self) -> int:
        return max((len(cells) for cells in self.rows.values()), default=0)

    @property
    def count(self) -> int:
        return sum(map(len, self.rows.values()))


def _largest(tables: Sequence[Any]) -> tuple[Any, _Values]:
    """The sheet with most cells, as notes and covers are small; the first of several."""
    for table in tables:
        # What a file says of its own size may be wrong; then cells would be left out.
        table.reset_dimensions()
    budget = _Left(MOST_SHEET_CELLS)
    return max(((table, _values(table, budget)) for table in tables), key=lambda one: one[1].count)


@dataclass(slots=True)
class _Left:
    """How many cells may still be looked at, over all sheets."""

    cells: int

    def take(self, many: int) -> None:
        self.cells -= many
        if self.cells < 0:
            raise NotSheet(f"has more than {MOST_SHEET_CELLS:,} cells; save the sheet as CSV")


def _values(table: Any, budget: _Left) -> _Values:
    values = _Values()
    strikes: dict[int, bool] = {0: False}
    zeros: dict[int, int] = {0: 0}
    for number, cells in enumerate(table.iter_rows(), start=1):
        # Rows that a file leaves out are there, and empty.
        if number > MOST_SHEET_ROWS:
            raise NotSheet(f"has a row beyond the {MOST_SHEET_ROWS:,} that Excel has")
        row = [_as_shown(cell, zeros) for cell in cells]
        while row and (row[-1] is None or row[-1] == ""):
            row.pop()
        budget.take(len(row))
        if not row:
            continue
        values.rows[number] = row
        values.dated += [cell.coordinate for cell in cells if isinstance(cell.value, date | time)]
        if any(_is_struck(cell, strikes) for cell in cells):
            values.struck.append(number)
    return values


def _as_shown(cell: Any, zeros: dict[int, int]) -> Any:
    """A cell's value; a whole number with the zeros in front that its format shows (007)."""
    if not isinstance(cell.value, int) or isinstance(cell.value, bool):
        return plain(cell.value)
    style = cell._style_id
    if style not in zeros:
        zeros[style] = len(cell.number_format) if ZEROS.fullmatch(cell.number_format) else 0
    return f"{cell.value:0{zeros[style]}d}" if zeros[style] else cell.value


def _is_struck(cell: Any, strikes: dict[int, bool]) -> bool:
    if cell.value is None:
        return False
    if isinstance(cell.value, CellRichText) and any(
        isinstance(one, TextBlock) and one.font.strike for one in cell.value
    ):
        return True
    style = cell._style_id
    if style not in strikes:
        strikes[style] = bool(cell.font and cell.font.strike)
    return strikes[style]


def plain(value: Any) -> Any:
    """A cell's value without what is Excel's own: escapes undone, days as ISO 8601 writes them, texts without runs."""
    if isinstance(value, str | CellRichText):
        text = str(value)
        # `_x005F_` is an underscore that would else begin an escape.
        return ESCAPE.sub(lambda match: chr(int(match[1], 16)), text).replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else value


def _read_merged(source: IO[bytes]) -> _Beside:
    layout = _Beside()
    row = 0
    for _, element in iterparse(source, events=("end",)):
        tag = element.tag.rpartition("}")[2]
        if tag == "c":
            _look_at(element, layout)
        elif tag == "row":
            row = int(element.get("r") or row + 1)
            if _is_on(element.get("hidden")) and len(element):
                layout.hidden_rows.append(row)
            element.clear()
        elif tag == "col" and _is_on(element.get("hidden")):
            first, last = int(element.get("min") or 1), int(element.get("max") or 1)
            layout.hidden_columns += range(first, min(last, first + 1_000) + 1)
        elif tag == "mergeCell" and (ref := element.get("ref")):
            layout.merged.append(range_boundaries(ref))
    return layout


def _look_at(cell: Any, layout: _Beside) -> None:
    """Of one cell: whether it is a formula without a value, or has text that is struck out."""
    place = PLACE.fullmatch(cell.get("r") or "")
    if place is None:
        return
    parts = {part.tag.rpartition("}")[2]: part for part in cell}
    # A stored text may be empty.
    if "f" in parts and cell.get("t") != "str" and not (parts["v"].text if "v" in parts else ""):
        layout.unstored.setdefault(column_index_from_string(place[1]), []).append(int(place[2]))
    if "is" in parts and any(
        one.tag.rpartition("}")[2] == "strike" and _is_on(one.get("val", "1")) for one in parts["is"].iter()
    ):
        layout.struck.append(int(place[2]))


def _is_on(text: str | None) -> bool:
    return text in ("1", "true")


def _fill(rows: dict[int, list[Any]], merged: list[tuple[int, int, int, int]]) -> tuple[list[str], list[str]]:
    """Give each row of a cell that is merged downward its value; which cells got one, and which are merged across."""
    filled, across = [], []
    rest = MOST_MERGED
    for left, top, right, bottom in merged:
        if right > left:
            across.append(f"{get_column_letter(left)}{top}:{get_column_letter(right)}{bottom}")
        if bottom == top or top not in rows or left > len(rows[top]):
            continue
        value = rows[top][left - 1]
        below = range(top + 1, min(bottom, top + rest) + 1)
        rest -= len(below)
        for number in below:
            if number in rows and value is not None:
                cells = rows[number]
                cells += [None] * (left - len(cells))
                if cells[left - 1] is None:
                    cells[left - 1] = value
                    filled.append(f"{get_column_letter(left)}{number}")
    return filled, across


def _remarks(name: str, others: list[str], layout: _Beside, values: _Values) -> list[Remark]:
    remarks, rows = [], values.rows
    if others:
        are = "is" if len(others) == 1 else "are"
        remarks.append(
            Remark("", f"the sheet “{name}” is read; there {are} also {', '.join(f'“{one}”' for one in others)}")
        )
    hidden = [row for row in layout.hidden_rows if row in rows]
    columns = [get_column_letter(one) for one in layout.hidden_columns if one <= values.widest]
    filled, across = _fill(rows, layout.merged)
    places: tuple[tuple[Sequence[object], str, str], ...] = (
        (hidden, "row", "hidden in the sheet, but read"),
        (columns, "column", "hidden in the sheet, but read"),
        (sorted({*values.struck, *layout.struck}), "row", "text is struck through in the sheet, but read"),
        (filled, "cell", "merged with a cell above and read with its value"),
        (
            values.dated,
            "cell",
            "a date or time in Excel and read as one; retype as text what Excel changed (such as 3-5)",
        ),
        (across, "cell", "merged across columns; the text counts for the first column"),
    )
    return remarks + [Remark(listed(where, word=word), message) for where, word, message in places if where]
