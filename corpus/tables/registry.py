"""The forms that a table comes in, each with its reader, and which of them a file is.

To add one: its line in FORMS; its reader, which gives an OpenedTable, in a module beside `opening`; a test in
tests/corpus/tables/, where `WRITE_DOCS=1` before test_registry.py writes its name and endings into the docs.
"""

import io
import re
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath

from corpus.errors import Fault
from corpus.tables.opening import AS_IT_SAYS, How, OpenedTable, Unreadable, read_delimited, read_excel, read_json
from corpus.tables.quotes import TAB, parting

PACKED = b"PK\x03\x04"
# What people send in place of a table, by how it begins, and of zips by a member, whatever it is called.
AS_TABLE = "save it as .xlsx or CSV"
BEGINNINGS = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": f"is an old Excel file (.xls), or has a password; {AS_TABLE} without one",
    b"%PDF-": "is a PDF file; send the table itself, as .xlsx or CSV",
    b"\x1f\x8b": "is a file packed by gzip, or an R file (.rds, .RData); unpack it, or write its table as CSV",
    b"PAR1": "is a Parquet file, and its name must end in .parquet",
    b"ARROW1\0": "is an Arrow or Feather file; write its table as Parquet or CSV",
    b"SQLite format 3\0": "is a database of SQLite; export its table as CSV",
    b"$FL2@(#)": "is an SPSS file (.sav); save it as .xlsx or CSV",
    b"$FL3@(#)": "is an SPSS file (.sav); save it as .xlsx or CSV",
    b"<stata_dta>": "is a Stata file (.dta); export it as CSV",
    b"{\\rtf": f"is a text document; copy its table into a spreadsheet and {AS_TABLE}",
    b"\x89PNG": "is a picture; send the table itself, as .xlsx or CSV",
    b"\xff\xd8\xff": "is a picture; send the table itself, as .xlsx or CSV",
}
# How they end as well, where the beginning may be text.
ENDINGS = {b"PAR1": b"PAR1"}
# The same of text: a whole tag.
TAGS = {
    re.compile(rb"\s*<\?xml\s", re.IGNORECASE): f"is an XML file; open it in a spreadsheet and {AS_TABLE}",
    re.compile(rb"\s*<(!doctype|html|table)[\s>]", re.IGNORECASE): (
        f"is a web page (HTML); open it in a spreadsheet and {AS_TABLE}"
    ),
}
# JSON in a file whose name does not say so.
IN_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:(\[)\s*\{|\{)\s*\"")
SPREADSHEETS = (".xls", ".xlsb", ".ods", ".fods", ".numbers")
MEMBERS = {
    "META-INF/manifest.xml": f"is an OpenDocument file, such as .ods, which is not read; {AS_TABLE}",
    "Index/Document.iwa": "is a Numbers file, which is not read; export it as .xlsx or CSV",
    "word/document.xml": f"is a Word file; copy its table into a spreadsheet and {AS_TABLE}",
    "xl/workbook.bin": f"is a binary Excel file (.xlsb), which is not read; {AS_TABLE}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """`name` in readers' words, and how its files end.

    `by_line`: in UTF-8 it can be read line by line as it lies there. `parted_by` is what parts cells where nobody says
    so; where that is empty, it is seen. `member` is in every file of a form that is a zip;
    such a form is a workbook with sheets, and all others are text.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, How], OpenedTable]
    by_line: bool = False
    parted_by: str = ""
    member: str = ""


def delimited(name: str, suffixes: tuple[str, ...], *, parted_by: str = "") -> Form:
    read = partial(read_delimited, parted_by=parted_by)
    return Form(name=name, suffixes=suffixes, read=read, by_line=True, parted_by=parted_by)


JSON = Form(name="JSON", suffixes=(".json",), read=read_json)
JSON_LINES = Form(
    name="JSON Lines", suffixes=(".jsonl", ".ndjson"), read=partial(read_json, is_lines=True), by_line=True
)
FORMS: tuple[Form, ...] = (
    delimited("CSV", (".csv", ".txt")),
    delimited("TSV", (".tsv", ".tab"), parted_by=TAB),
    Form(name="Excel", suffixes=(".xlsx",), read=read_excel, member="[Content_Types].xml"),
    JSON,
    JSON_LINES,
)


def names() -> str:
    """What all forms are called, for a sentence."""
    return ", ".join(form.name for form in FORMS)


def suffixes() -> list[str]:
    return [suffix for form in FORMS for suffix in form.suffixes]


def form_named(name: str) -> Form | None:
    """The form of a file that ends so; None for another ending."""
    suffix = PurePath(name).suffix.lower()
    return next((form for form in FORMS if suffix in form.suffixes), None)


def way_on(name: str) -> str:
    """What to do with a spreadsheet whose name ends in a way that is not read, as a sentence; else empty."""
    return "Save it as .xlsx or CSV." if PurePath(name).suffix.lower() in SPREADSHEETS else ""


def is_by_line(name: str) -> bool:
    form = form_named(name)
    return form is not None and form.by_line


def parting_in(data: bytes, name: str) -> str:
    """What parts the cells of delimited text: what its ending says, or else what is seen; a comma where nothing is."""
    form = form_named(name)
    text = data.decode(errors="replace")
    return (form and form.parted_by) or parting(text.splitlines()) or ","


def opened(data: bytes, name: str, how: How = AS_IT_SAYS) -> OpenedTable:
    """The table in these bytes; Unreadable. What is not asked for, the file says: `name` by its ending.

    Without a header, the first row is one like the others, and columns are called `column 1` and so on.
    """
    form = _form_of(data, name)
    if how.sheet and not form.member:
        raise Unreadable(Fault("--sheet", "is for Excel files; this one has no sheets"))
    return form.read(data, how)


def _form_of(data: bytes, name: str) -> Form:
    """A zip is what its members say, whatever it is called; text that ends in no known way is delimited."""
    named_form = form_named(name) or FORMS[0]
    messages = [BEGINNINGS[one] for one in BEGINNINGS if data.startswith(one) and data.endswith(ENDINGS.get(one, b""))]
    if wrong := next(iter(messages or [TAGS[one] for one in TAGS if one.match(data[:200])]), ""):
        raise Unreadable(Fault("file", wrong))
    return _form_of_zip(data, named_form) if data.startswith(PACKED) else _form_of_text(data, named_form)


def _form_of_text(data: bytes, named_form: Form) -> Form:
    """JSON is JSON, whatever it is called; and what is called a workbook and is text is delimited."""
    if named_form.member and b"\0" not in data:
        named_form = FORMS[0]
    match = IN_JSON.match(data) if named_form.by_line else None
    return JSON if match and (match[1] or named_form is not JSON_LINES) else named_form


def _form_of_zip(data: bytes, named_form: Form) -> Form:
    members = _members(data)
    if wrong := next((wrong for member, wrong in MEMBERS.items() if member in members), ""):
        raise Unreadable(Fault("file", wrong))
    # The reader of a workbook says what is wrong with one that is damaged.
    zip_form = next((form for form in FORMS if form.member in members), named_form)
    if not zip_form.member:
        wrong = "is a zip file that is not a workbook, or is truncated; unpack it first"
        raise Unreadable(Fault("file", wrong))
    return zip_form


def _members(data: bytes) -> set[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return {*packed.namelist()}
    except (zipfile.BadZipFile, ValueError, OSError, struct.error):
        return set()
