"""The tables for programs: the downloads of the results as CSV and Parquet, which say the same to the digit."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.models import Study
from comparison.exports.cells import NUMBER, cell, lines
from comparison.exports.items.lines import item_rows
from comparison.exports.registry import export
from comparison.figures.file import Export, Row, Written
from comparison.frame.filters.selection import Selection

# The download of these has its lines written already; here they are values, of which Parquet wants the kinds.
VALUES: dict[str, Export] = {"items": item_rows}
# The report's lines on aggregation are those that somebody has had computed; the file of that name has all, always.
BY_CHANCE = {"report": "aggregation"}


def write_tables(study: Study, what: str, folder: Path) -> None:
    """One download as `what`.csv and `what`.parquet. Without lines none: it is they that say whose labels these are."""
    header, *rows = _rows(study, what)
    if not rows:
        return
    with (folder / f"{what}.csv").open("w", encoding="utf-8", newline="") as out:
        out.writelines(lines(chain([header], rows)))
    pq.write_table(typed(header, rows), folder / f"{what}.parquet", compression="zstd")


def write_lines(study: Study, what: str, path: Path) -> None:
    """A download as CSV alone, streamed: there may be millions of lines."""
    with path.open("w", encoding="utf-8", newline="") as out:
        out.writelines(lines(export(what)(study, Selection())))


def _rows(study: Study, what: str) -> Iterator[Row | Written]:
    rows = VALUES.get(what, export(what))(study, Selection())
    header = next(rows)
    yield header
    if what not in BY_CHANCE:
        yield from rows
        return
    section = header.index("section")
    yield from (row for row in rows if row[section] != BY_CHANCE[what])


def typed(header: Sequence[str], rows: Sequence[Row | Written]) -> pa.Table:
    """Columns of truth values, whole numbers, numbers or text, by what is in them; what is empty is null."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    return pa.Table.from_arrays([_column(cells) for cells in columns], names=list(header))


def _column(cells: Iterable[Any]) -> pa.Array:
    """The values as the CSV has them: numbers to as many digits, and text as it is, for no spreadsheet opens it."""
    found = list(cells)
    there = [value for value in found if value is not None and value != ""]
    if there and all(isinstance(value, bool) for value in there):
        return pa.array([value if isinstance(value, bool) else None for value in found], pa.bool_())
    if there and all(_is_number(value) for value in there):
        texts = [None if value is None or value == "" else cell(value) for value in found]
        if not any(isinstance(value, float) for value in there):
            return pa.array([None if text is None else int(text) for text in texts], pa.int64())
        return pa.array([None if text is None else float(text) for text in texts], pa.float64())
    return pa.array([None if value is None else _text(value) for value in found], pa.string())


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool | str) and NUMBER.fullmatch(cell(value)) is not None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else cell(value)
