"""Scores that wait beside the database until one statement takes them in.

Written one after another a hundred thousand scores take many seconds, and on SQLite nobody else writes meanwhile: the
annotators' answers would wait. They are laid down first in a temporary table, which is this connection's own. It takes
no lock that others wait for, nobody sees it, and of a kill nothing is left.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

from django.db import connection

from scoring.models import Run, Score

TABLE = "scores_to_be"
BATCH = 500


@contextmanager
def staged(scores: Iterable[Score]) -> Iterator[Callable[[Run], None]]:
    """Lay down scores that have no run yet; what is yielded takes them in, as those of a run, in one statement."""
    fields = [field for field in Score._meta.concrete_fields if field.name not in ("id", "run")]
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    table, target = connection.ops.quote_name(TABLE), connection.ops.quote_name(Score._meta.db_table)
    places = ", ".join(["%s"] * len(fields))

    def take_in(run: Run) -> None:
        with connection.cursor() as cursor:
            # Table and columns are the model's own; S608 knows no better.
            said = f"INSERT INTO {target} (run_id, {names}) SELECT %s, {names} FROM {table}"  # noqa: S608
            cursor.execute(said, [run.pk])

    rows = ([field.get_db_prep_save(getattr(one, field.attname), connection) for field in fields] for one in scores)
    with connection.cursor() as cursor:
        # Of the same types, on either database; a connection that lives on may hold the table of an import that failed.
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TEMPORARY TABLE {table} AS SELECT {names} FROM {target} LIMIT 0")  # noqa: S608
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", batch)  # noqa: S608
    try:
        yield take_in
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {table}")
