"""The most that Parallax takes of what somebody sends, whatever door it comes by. docs/running.md lists it.

Every reader takes its limits from here. Whatever a study honestly has lies far below them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Of study.toml: characters, and parts of a dotted key (`a.b.c`), of which tomllib makes a table each.
MOST_TOML = 400_000
MOST_KEY_PARTS = 8
# How deeply JSON and TOML may be nested: deeper than any tool nests, and far above what Python's own recursion bears.
MOST_DEPTH = 60
# Of a study's folder as a zip file, in bytes once it is unpacked.
MOST_FOLDER = 100 * 1024**2
# Items of such a folder; a command takes any number.
MOST_ITEMS_SENT = 200_000
# What a request stores before it answers, in a second or two: items, labels or scores sent to the API, IDs of a list.
MOST_SENT = 20_000
# Values of a text of JSON that is read whole, told by the marks before them: of a file of a model, and of a body of the
# API.
MOST_VALUES = 8_000_000
MOST_VALUES_SENT = 1_000_000
# Columns of a table, and names in a row of JSON or in all rows together.
MOST_COLUMNS = 1_000
# Rows and cells of a table, and cells of a workbook, which take a hundred times as long.
MOST_ROWS = 1_000_000
MOST_CELLS = 20_000_000
MOST_SHEET_CELLS = 1_000_000
# Characters of one cell, and of all: a workbook of 3 kB may name one long text in a thousand cells.
LONGEST_CELL = 200_000
MOST_CHARACTERS = 60_000_000
# Characters of one text that people read, of a short one beside it (an attribute, a note), and of all texts of an item:
# so much has a page at most.
LONGEST_TEXT = 50_000
LONGEST_NOTE = 5_000
LONGEST_ITEM = 200_000
# Attributes of an item, and texts in a list of a setting.
MOST_ATTRIBUTES = 200
MOST_LISTED = 1_000
# Faults that are told of one source; beyond them nobody reads on.
MOST_FAULTS = 1_000
# Of what a fault says, which may quote what was sent.
LONGEST_MESSAGE = 2_000
TEXT = re.compile(rb'"[^"]*"')


def fault_of_depth(value: object) -> str:
    """What is wrong with how deeply a value of JSON is nested, as the end of a sentence; else empty.

    Told by level: recursion would not bear what is too deep.
    """
    level = [value]
    for _ in range(MOST_DEPTH):
        inside = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [inner for one in inside for inner in one]
        if not level:
            return ""
    return f"is nested more than {MOST_DEPTH} levels deep"


def fault_of_values(text: str | bytes, *, most: int = MOST_VALUES) -> str:
    """What is wrong with the number of values in JSON that is not yet read, as the end of a sentence; else empty.

    They are told by the marks before them: first by all, which is quick, and of those that have too many without the
    ones in texts.
    """
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    if _marks(data) <= most:
        return ""
    plain = data.replace(rb"\\", b"").replace(rb"\"", b"")
    # A value is a text at most, and has a name at most.
    is_over = plain.count(b'"') > 4 * most or _marks(TEXT.sub(b"", plain)) > most
    return f"has more than {most:,} values" if is_over else ""


def _marks(data: bytes) -> int:
    return sum(map(data.count, (b",", b"[", b"{")))


def fault_of_columns(count: int) -> str:
    """What is wrong with so many columns of a table or names of a row, as the end of a sentence; else empty."""
    return f"has more than {MOST_COLUMNS:,} columns" if count > MOST_COLUMNS else ""


@dataclass(slots=True)
class Size:
    """How large a table is that is read row by row. `columns` are the names that all rows have together."""

    rows: int = 0
    cells: int = 0
    characters: int = 0
    columns: set[str] = field(default_factory=set)

    def fault_with(self, row: Sequence[Any] | Mapping[str, Any]) -> str:
        """What is wrong with the table once this row is in it, as the end of a sentence; else empty."""
        self.rows += 1
        self.cells += len(row)
        if isinstance(row, Mapping) and not row.keys() <= self.columns:
            self.columns |= row.keys()
        lengths = [len(one) for one in (row.values() if isinstance(row, Mapping) else row) if isinstance(one, str)]
        self.characters += sum(lengths)
        if max(lengths, default=0) > LONGEST_CELL:
            return f"has a cell of more than {LONGEST_CELL:,} characters"
        if self.characters > MOST_CHARACTERS:
            return f"has more than {MOST_CHARACTERS:,} characters; split it into several files"
        return fault_of_size(self.rows, self.cells) or fault_of_columns(len(self.columns))


def fault_of_size(rows: int, cells: int) -> str:
    """What is wrong with so many rows and cells of a table, as the end of a sentence; else empty."""
    if rows > MOST_ROWS:
        return f"has more than {MOST_ROWS:,} rows; split it into several files"
    return f"has more than {MOST_CELLS:,} cells; leave out columns or split it" if cells > MOST_CELLS else ""


def fault_of_text(text: str, *, most: int = LONGEST_TEXT) -> str:
    """What is wrong with the length of a text, as the end of a sentence; else empty."""
    return f"has {len(text):,} characters; the limit is {most:,}" if len(text) > most else ""


def fault_of_texts(texts: Iterable[str]) -> str:
    """The same of all the texts of an item."""
    count = sum(map(len, texts))
    return f"has {count:,} characters in all its texts; the limit is {LONGEST_ITEM:,}" if count > LONGEST_ITEM else ""
