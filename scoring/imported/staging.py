"""Scores that wait beside the database until one statement takes them in.

Written one after another a hundred thousand scores take many seconds, and on SQLite nobody else writes meanwhile: the
annotators' answers would wait. They are laid down first in a temporary table, which is this connection's own. It takes
no lock that others wait for, nobody sees it, and of a kill nothing is left.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection

from annotation.bulk import fill, proven_references, roomy, together
from scoring.models import Run, Score

TABLE = "scores_to_be"
# What `scores` are rows of. JSON is as the field writes it.
COLUMNS = ("item_id", "decision", "strength", "detail", "unscored")


@contextmanager
def staged(scores: Iterable[Sequence[Any]]) -> Iterator[Callable[[Run], None]]:
    """Lay down scores that have no run yet; what is yielded takes them in, as those of a run, in one statement."""
    names = ", ".join(map(connection.ops.quote_name, COLUMNS))
    table, target = connection.ops.quote_name(TABLE), connection.ops.quote_name(Score._meta.db_table)

    def take_in(run: Run) -> None:
        with connection.cursor() as cursor:
            # Table and columns are the model's own; S608 knows no better.
            said = f"INSERT INTO {target} (run_id, {names}) SELECT %s, {names} FROM {table}"  # noqa: S608
            cursor.execute(said, [run.pk])

    with connection.cursor() as cursor:
        # Of the same types, on either database; a connection that lives on may hold the table of an import that failed.
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TEMPORARY TABLE {table} AS SELECT {names} FROM {target} LIMIT 0")  # noqa: S608
    with together():
        fill(TABLE, COLUMNS, scores)
    try:
        # Of a run that is made in the same transaction, and of items that are compared in it.
        with roomy(), proven_references():
            yield take_in
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {table}")
