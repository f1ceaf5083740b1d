"""A table, whatever file it was read from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: `where` is `line 17` of a text file or `row 17` of another, from 1."""

    where: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` is empty where each row brings its own (JSON lines). `files` are what was read."""

    columns: tuple[str, ...]
    rows: list[TableRow]
    files: tuple[Path, ...]
