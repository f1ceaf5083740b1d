"""Arrow and Parquet files, read by pyarrow alone: no script, no pickle."""

import json
from typing import Any, BinaryIO

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

from corpus.bounds import fault_of_columns, fault_of_size
from corpus.formats.contract import listed, named
from corpus.formats.source import refused

# An Arrow file begins with this; a stream, which is what `datasets` writes, does not.
FILE_MAGIC = b"ARROW1"
PARQUET = ".parquet"


def read_columns(data: BinaryIO, *, suffix: str) -> pyarrow.Table:
    """The whole table; OSError or pyarrow.ArrowException where it is none, FormatFault where it is too large."""
    if suffix == PARQUET:
        file = pyarrow.parquet.ParquetFile(data)
        # A packed column of one value is a few bytes, whatever it unpacks to.
        _refuse_size(file.metadata.num_rows, len(file.schema_arrow.names))
        return file.read()
    magic = data.read(len(FILE_MAGIC))
    data.seek(0)
    opened = pyarrow.ipc.open_file(data) if magic == FILE_MAGIC else pyarrow.ipc.open_stream(data)
    _refuse_size(0, len(opened.schema.names))
    table = opened.read_all()
    _refuse_size(table.num_rows, table.num_columns)
    return table


def _refuse_size(rows: int, columns: int) -> None:
    if wrong := fault_of_columns(columns) or fault_of_size(rows, rows * columns):
        raise refused("file", wrong)


def rows_of(table: pyarrow.Table) -> list[dict[str, Any]]:
    """The rows, by column. A class stands there by its name, where `datasets` kept the names, and none (-1) as null."""
    classes = _classes(dict(table.schema.metadata or {}))
    rows: list[dict[str, Any]] = table.to_pylist()
    for row in rows:
        for column, names in classes.items():
            code = row.get(column)
            if isinstance(code, int):
                row[column] = names[code] if 0 <= code < len(names) else None
    return rows


def _classes(metadata: dict[bytes, bytes]) -> dict[str, list[Any]]:
    """The names of the classes of each column that has such, as `datasets` keeps them in the file."""
    try:
        huggingface = json.loads(metadata.get(b"huggingface", b"{}"))
    except (ValueError, RecursionError):
        return {}
    features = named(named(named(huggingface).get("info")).get("features"))
    kinds = {column: named(feature) for column, feature in features.items()}
    return {column: listed(kind.get("names")) for column, kind in kinds.items() if kind.get("_type") == "ClassLabel"}
