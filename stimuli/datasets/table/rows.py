"""A table, whatever file it was read from."""

from dataclasses import dataclass
from pathlib import Path

from corpus.errors import Fault, Remark
from corpus.formats.contract import Record
from corpus.tables.columns import MapError, text_of

# Rows that are looked at for a guess.
SAMPLE = 60


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` is empty where each row brings its own (JSON). `files` are what was read.

    A row's `where` is `line 17` of a text file or `row 17` of another, from 1.

    `faulty` are rows that cannot be read, by place, and `remarks` what was noticed. `unstored` are columns of formulas
    without values. `encoding`, `delimiter`, `sheet` and the `sheets` there are say how the file was read.
    """

    columns: tuple[str, ...]
    rows: list[Record]
    files: tuple[Path, ...]
    faulty: tuple[tuple[str, Fault], ...] = ()
    remarks: tuple[Remark, ...] = ()
    unstored: tuple[str, ...] = ()
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    # Rows that the file has beyond these: a page looks at the first of many.
    beyond: int = 0

    @property
    def count(self) -> int:
        return len(self.rows) + self.beyond


def texts_of(table: Table, column: str, *, most: int | None = SAMPLE) -> list[str]:
    """What stands in a column, as text; nothing where it is empty or is no text."""
    texts = []
    for row in table.rows[:most]:
        try:
            texts.append(text_of(row.values, column, table.columns))
        except MapError:
            texts.append("")
    return texts
