"""Rows on their way to disk: a Parquet file and a JSON lines file for each part, some thousand rows at a time."""

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from comparison.dataset.columns import NUMBER, WHOLE, Column

TYPES = {WHOLE: pa.int32(), NUMBER: pa.float64()}


class Configuration:
    """A folder with `PART.parquet` and `PART.jsonl` for every part that holds a row; `rows` counts them."""

    def __init__(self, folder: Path, columns: Sequence[Column]) -> None:
        self._folder = folder
        self._schema = pa.schema([(column.name, TYPES.get(column.kind, pa.string())) for column in columns])
        self._open = ExitStack()
        self._files: dict[str, tuple[Any, Any]] = {}
        self.rows: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._folder.mkdir()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def write(self, part: str, rows: Sequence[dict[str, Any]]) -> None:
        if not rows:
            return
        if part not in self._files:
            self._files[part] = self._begun(part)
        table, lines = self._files[part]
        table.write_batch(pa.RecordBatch.from_pylist(list(rows), schema=self._schema))
        lines.writelines(_lines(rows))
        self.rows[part] = self.rows.get(part, 0) + len(rows)

    def _begun(self, part: str) -> tuple[Any, Any]:
        table = pq.ParquetWriter(self._folder / f"{part}.parquet", self._schema, compression="zstd")
        lines = (self._folder / f"{part}.jsonl").open("w", encoding="utf-8", newline="\n")
        return self._open.enter_context(table), self._open.enter_context(lines)


def _lines(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
