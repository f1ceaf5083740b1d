"""All faults that rows can show, those of the database itself first."""

from collections.abc import Iterator

from django.db import IntegrityError, connection

from annotation.audit.unchanging import triggers
from annotation.models import Act
from researcher.integrity.labels import MOST, read_label_faults
from researcher.integrity.records import read_record_faults


def read_faults() -> Iterator[str]:
    yield from _database()
    yield from _triggers()
    yield from read_label_faults()
    yield from read_record_faults()


def _database() -> Iterator[str]:
    """References that lead nowhere, and on SQLite what is broken in the file."""
    try:
        connection.check_constraints()
    except IntegrityError as error:
        yield f"The database holds a broken reference: {error}"
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA integrity_check({MOST})")
            yield from (f"The database file is damaged: {line}" for (line,) in cursor.fetchall() if line != "ok")


def _triggers() -> Iterator[str]:
    """What keeps acts from being changed and deleted."""
    with connection.cursor() as cursor:
        query = (
            "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'"
            if connection.vendor == "postgresql"
            else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        )
        cursor.execute(query)
        there = {name for (name,) in cursor.fetchall()}
    for name in triggers(Act._meta.db_table, connection.vendor):
        if name not in there:
            yield f"The database lets acts be changed or deleted: its trigger {name} is gone."
