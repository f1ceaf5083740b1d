"""Django's SQLite, where whoever begins to write stands in a queue: first come, first served.

SQLite lets all who wait ask again, each after longer and longer pauses: of eight annotators at once, one answer in
twenty waited for a third of a second while the processor had nothing to do. Here only the first in the queue asks, and
often; the others sleep on a file lock, which the kernel gives away in order and takes back from a process that dies.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base
from django.db.backends.sqlite3.operations import DatabaseOperations

PAUSE_SECONDS = 0.0005


class Operations(DatabaseOperations):
    def sql_flush(self, style: Any, tables: Any, **more: Any) -> list[str]:
        """As on PostgreSQL, whose TRUNCATE asks no trigger of a row: emptying the database is no change of a row."""
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
            found = [(name, sql) for name, table, sql in cursor.fetchall() if table in set(tables)]
        away = [f"DROP TRIGGER {self.quote_name(name)};" for name, _ in found]
        flushed: list[str] = super().sql_flush(style, tables, **more)
        return [*away, *flushed, *(sql for _, sql in found)] if flushed else flushed


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = Operations

    def _start_transaction_under_autocommit(self) -> None:
        """As Django's, which waits for as long too: the first in the queue gives up after the connection's timeout."""
        if self.is_in_memory_db():
            self._begin()
            return
        with self._first_in_queue(), self._asking_by_ourselves() as seconds:
            until = monotonic() + seconds
            while True:
                try:
                    self._begin()
                except OperationalError as error:
                    if "locked" not in str(error) or monotonic() > until:
                        raise
                    sleep(PAUSE_SECONDS)
                else:
                    return

    def _begin(self) -> None:
        """Immediate: a transaction that began to read, and would write later, could not wait for its turn."""
        with self.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE")

    @contextmanager
    def _first_in_queue(self) -> Iterator[None]:
        """Opened each time: a file that processes inherit from one another would be one lock for all of them."""
        with Path(f"{self.settings_dict['NAME']}-queue").open("a") as queue:
            fcntl.flock(queue, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _asking_by_ourselves(self) -> Iterator[float]:
        """SQLite says at once that somebody writes, and does not wait; gives the seconds that it would have waited."""
        with self.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            (milliseconds,) = cursor.fetchone()
            cursor.execute("PRAGMA busy_timeout = 0")
            try:
                yield milliseconds / 1000
            finally:
                cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
