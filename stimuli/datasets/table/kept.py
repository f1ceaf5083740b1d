"""A table read once and kept as JSON, so that pages can come back to it; and read apart, in a process of its own.

`python -m stimuli.datasets.table.kept FILE KEPT BYTES FORMAT` reads FILE. The process has limits of its own, and its
libraries (pyarrow, openpyxl) stay out of the one that serves pages.
"""

import json
import sys
from datetime import date, time
from decimal import Decimal
from pathlib import Path

from corpus.errors import SourceError
from corpus.formats.confined import MOST_BYTES, confine, leave, run_confined, tell
from stimuli.datasets.table.reading import read_table
from stimuli.datasets.table.rows import Table, TableRow


def read_apart(path: Path, kept: Path, *, most_bytes: int = MOST_BYTES, format: str = "") -> None:  # noqa: A002
    """Read the file at `path` and keep its table at `kept`; `most_bytes` is the memory that reading may take.

    `format` says which tool wrote it, where that is not seen. SourceError, with every fault, if it cannot be read.
    """
    run_confined(__name__, str(path), str(kept), str(most_bytes), format, source=path)


def read_kept(kept: Path, *, source: Path) -> Table:
    """The table that was kept of `source`."""
    told = json.loads(kept.read_text(encoding="utf-8"))
    return Table(tuple(told["columns"]), [TableRow(*row) for row in told["rows"]], (source,))


def keep(table: Table, kept: Path) -> None:
    told = {"columns": table.columns, "rows": [[row.where, row.values] for row in table.rows]}
    kept.write_text(json.dumps(told, ensure_ascii=False, default=_as_json), encoding="utf-8")


def _as_json(value: object) -> object:
    """Days and numbers of Parquet as they are written. Anything else, such as a picture, is no text, as is a list."""
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else [type(value).__name__]


def _main(path: Path, kept: Path, most_bytes: int, named: str) -> int:
    confine(most_bytes)
    try:
        keep(read_table(path, format=named), kept)
    except SourceError as refused:
        return tell(refused.faults)
    return 0


if __name__ == "__main__":
    leave(_main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
