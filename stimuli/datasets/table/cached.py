"""A table read once and kept as JSON, so that pages can come back to it; and read apart, in a process of its own.

`python -m stimuli.datasets.table.cached FILE KEPT BYTES FORMAT HOW` reads FILE. The process has limits of its own, and
its libraries (pyarrow, openpyxl) stay out of the one that serves pages.
"""

import json
import sys
from dataclasses import asdict, fields, replace
from datetime import date, time
from decimal import Decimal
from pathlib import Path

from corpus.errors import Fault, Remark, SourceError
from corpus.formats.apart import MOST_BYTES, confine, leave, run_confined, tell
from corpus.formats.contract import Record
from corpus.formats.reading import rows_that_fit
from corpus.tables.opening import AS_IT_SAYS, How
from stimuli.datasets.table.reading import read_table
from stimuli.datasets.table.rows import Table

# Rows that a page looks through whenever it is shown.
MOST_SHOWN = 5_000


def read_apart(
    path: Path,
    stored: Path,
    *,
    most_bytes: int = MOST_BYTES,
    format: str = "",  # noqa: A002
    how: How = AS_IT_SAYS,
) -> None:
    """Read the file at `path` and keep its table at `stored`; `most_bytes` is the memory that reading may take.

    `format` says which tool wrote it, where that is not seen. SourceError, with every fault, if it cannot be read.
    """
    how_json = json.dumps(asdict(how))
    run_confined(__name__, str(path), str(stored), str(most_bytes), format, how_json, source=path)


def read_stored_table(stored: Path, *, source: Path, whole: bool = True) -> Table:
    """The table that was kept of `source`; of a long one, if not the `whole`, the first rows."""
    first = _first_rows(stored)
    payload = json.loads((stored if whole or not first.is_file() else first).read_text(encoding="utf-8"))
    payload |= {name: tuple(payload[name]) for name in ("columns", "unstored", "sheets")}
    payload |= {
        "rows": [Record(*row) for row in payload["rows"]],
        "faulty": tuple((where, Fault(*fault)) for where, fault in payload["faulty"]),
        "remarks": tuple(Remark(*remark) for remark in payload["remarks"]),
    }
    return Table(files=(source,), **payload)


def keep(table: Table, stored: Path) -> None:
    """The whole table, and beside a long one its first rows: a page would take seconds for all whenever it is shown."""
    _first_rows(stored).unlink(missing_ok=True)
    _write(table, stored)
    count = rows_that_fit(table.rows, MOST_SHOWN)
    if beyond := len(table.rows) - count:
        _write(replace(table, rows=table.rows[:count], beyond=beyond), _first_rows(stored))


def keep_instead(fresh: Path, stored: Path) -> None:
    """The table that was kept at `fresh` in place of one before it, of which half would be no table."""
    _first_rows(stored).unlink(missing_ok=True)
    fresh.replace(stored)
    if _first_rows(fresh).is_file():
        _first_rows(fresh).replace(_first_rows(stored))


def _first_rows(stored: Path) -> Path:
    return stored.with_suffix(".first.json")


def _write(table: Table, stored: Path) -> None:
    payload = {one.name: getattr(table, one.name) for one in fields(table) if one.name != "files"}
    stored.write_text(json.dumps(payload, ensure_ascii=False, default=_as_json), encoding="utf-8")


def _as_json(value: object) -> object:
    """Rows, faults and remarks as lists, days and numbers of Parquet as they are written.

    Anything else, such as a picture, is no text, as is a list.
    """
    if isinstance(value, Record | Fault | Remark):
        return [getattr(value, one.name) for one in fields(value)]
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else [type(value).__name__]


def _main(path: Path, stored: Path, most_bytes: int, format_name: str, how: str) -> int:
    confine(most_bytes)
    try:
        keep(read_table(path, format=format_name, how=How(**json.loads(how))), stored)
    except SourceError as refused:
        return tell(refused.faults)
    return 0


if __name__ == "__main__":
    leave(_main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:6]))
