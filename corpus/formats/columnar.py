"""Arrow and Parquet files, read by pyarrow alone: no script, no pickle."""

from typing import BinaryIO

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

# An Arrow file begins with this; a stream, which is what `datasets` writes, does not.
FILE_MAGIC = b"ARROW1"
PARQUET = ".parquet"


def read_columns(data: BinaryIO, *, suffix: str) -> pyarrow.Table:
    """The whole table; OSError or pyarrow.ArrowException where it is none."""
    if suffix == PARQUET:
        return pyarrow.parquet.ParquetFile(data).read()
    magic = data.read(len(FILE_MAGIC))
    data.seek(0)
    opened = pyarrow.ipc.open_file(data) if magic == FILE_MAGIC else pyarrow.ipc.open_stream(data)
    return opened.read_all()
