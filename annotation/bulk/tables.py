"""Filling tables fast, through Django's connection: COPY on PostgreSQL, one prepared statement on SQLite.

A temporary table is this connection's own. It takes no lock that others wait for, nobody sees it, and of a kill
nothing is left: what is to be written waits there until one transaction takes it in.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.db import connection, models

BATCH = 5_000
# For rows that come in another order than an index has: with less, pages of the index are written again and again.
CACHE_KIB = 96 * 1024


# What both databases take as it is.
PLAIN = frozenset((str, int, float))


def quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))


def fill(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Add rows, whose values the database takes as they are."""
    names = ", ".join(map(quoted, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {quoted(table)} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        # Table and columns are those of models and of ours; S608 knows no better.
        said = f"INSERT INTO {quoted(table)} ({names}) VALUES ({', '.join(['%s'] * len(columns))})"  # noqa: S608
        rows = iter(rows)
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(said, batch)


def insert(model: type[models.Model], objects: Iterable[models.Model]) -> None:
    """What bulk_create does, but faster, for objects whose keys nobody needs. The caller has a transaction."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key and not field.generated]
    named = [(field.attname, field) for field in fields]
    rows = ([_as_column(getattr(one, name), field) for name, field in named] for one in objects)
    fill(model._meta.db_table, [str(field.column) for field in fields], rows)


def _as_column(value: Any, field: "models.Field[Any, Any]") -> Any:
    return value if value is None or type(value) in PLAIN else field.get_db_prep_save(value, connection)


@contextmanager
def temporary(name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Any]] = ()) -> Iterator[None]:
    """A temporary table with `columns` (name: type) and rows; gone at the end."""
    made = ", ".join(f"{quoted(column)} {kind}" for column, kind in columns.items())
    with connection.cursor() as cursor:
        # A connection that lives on may hold the table of one that failed.
        cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)}")
        cursor.execute(f"CREATE TEMPORARY TABLE {quoted(name)} ({made})")
    with together():
        fill(name, list(columns), rows)
    try:
        yield
    finally:
        # After an error PostgreSQL takes nothing more in a transaction, and drops the table with it.
        if not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)}")


@contextmanager
def together() -> Iterator[None]:
    """Rows for temporary tables: not a transaction each, on SQLite, nor one as Django begins it, which locks all."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


@contextmanager
def roomy() -> Iterator[None]:
    """More of SQLite's pages in memory while much is written; PostgreSQL has its own."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA cache_size")
        (before,) = cursor.fetchone()
        cursor.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA cache_size = {before}")


@contextmanager
def proven_references() -> Iterator[None]:
    """For a transaction that is about to begin and whose rows refer to what it has itself written, or seen to be there.

    SQLite looks every reference up once more, which takes as long as writing the rows, while everybody waits.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.constraint_checks_disabled():
        yield
