"""A table read once and kept as JSON, so that pages can come back to it; and read apart, in a process of its own.

`python -m stimuli.datasets.table.kept FILE KEPT BYTES` reads FILE. A file from a stranger may
make a reader eat memory or time: the process has limits of its own, and its libraries (pyarrow, openpyxl) stay out of
the one that serves pages.
"""

import json
import resource
import subprocess
import sys
from datetime import date, time
from decimal import Decimal
from pathlib import Path

from corpus.errors import Fault, SourceError
from stimuli.datasets.table.reading import read_table
from stimuli.datasets.table.rows import Table, TableRow

ROOT = Path(__file__).parents[3]
# Of the reading process.
MOST_BYTES = 3 * 1024**3
MOST_SECONDS = 60
REFUSED = 3


def read_apart(path: Path, kept: Path, *, most_bytes: int = MOST_BYTES) -> None:
    """Read the file at `path` and keep its table at `kept`; `most_bytes` is the memory that reading may take.

    SourceError, with every fault, if it cannot be read.
    """
    command = [sys.executable, "-m", __name__, str(path), str(kept), str(most_bytes)]
    try:
        # Python itself and two paths that were made here: nothing of it is a stranger's.
        done = subprocess.run(  # noqa: S603
            command, cwd=ROOT, capture_output=True, timeout=2 * MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise SourceError(path, [Fault("file", f"takes longer than {MOST_SECONDS} seconds to read")]) from None
    if done.returncode == REFUSED:
        raise SourceError(path, [Fault(*one) for one in json.loads(done.stdout)])
    if done.returncode:
        raise SourceError(path, [Fault("file", "takes more memory or time to read than a file of its size may")])


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


def _main(path: Path, kept: Path, most_bytes: int) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    try:
        keep(read_table(path), kept)
    except SourceError as refused:
        print(json.dumps([[fault.field, fault.message] for fault in refused.faults]))
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
