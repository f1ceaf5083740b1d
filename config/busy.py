"""A database that another program keeps busy, told to whoever called a command."""

import sqlite3

from django.db import OperationalError

BUSY = (
    "The database is busy: another program has been writing to it for as long as this one waits. What this command was "
    "about to write is not stored; call it again when the other one is done."
)


def is_busy(error: OperationalError) -> bool:
    """Whether SQLite waited in vain for the one who writes. Whatever else goes wrong is a fault, and shown as one."""
    cause = error.__cause__
    # The lower byte is the code; the others say in which way.
    return isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
