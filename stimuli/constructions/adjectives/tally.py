"""Counts that outgrow memory: a temporary SQLite database, on disk as it grows, and gone with the process."""

import sqlite3
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

# The name that makes SQLite take a file of its own in the directory for temporary files (TMPDIR).
TEMPORARY = ""


class Tally:
    """Counts by kind and key. A corpus of any size needs the same memory; the disk holds the rest."""

    def __init__(self) -> None:
        self._table = sqlite3.connect(TEMPORARY, isolation_level=None)
        self._table.execute(
            "CREATE TABLE counts (kind TEXT, key TEXT, n INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.close()

    def add(self, kind: str, counts: Mapping[str, int]) -> None:
        self._table.execute("BEGIN")
        self._table.executemany(
            "INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET n = n + excluded.n",
            [(kind, key, n) for key, n in counts.items()],
        )
        self._table.execute("COMMIT")

    def totals(self, kind: str) -> tuple[int, int]:
        """How many keys there are, and the sum of their counts."""
        keys, total = self._table.execute("SELECT count(*), sum(n) FROM counts WHERE kind = ?", (kind,)).fetchone()
        return keys, total or 0

    def items(self, kind: str, *, least: int = 1) -> Iterator[tuple[str, int]]:
        """Keys with at least that count, sorted by key."""
        yield from self._table.execute(
            "SELECT key, n FROM counts WHERE kind = ? AND n >= ? ORDER BY key", (kind, least)
        )
