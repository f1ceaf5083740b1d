"""A table, whatever file it was read from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.errors import Fault


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


def names_twice(where: str, columns: Sequence[str]) -> list[Fault]:
    """A fault for every name that the first line gives to more than one column."""
    return [
        Fault(where, f"names the column {name!r} twice")
        for name in sorted({name for name in columns if columns.count(name) > 1})
    ]
