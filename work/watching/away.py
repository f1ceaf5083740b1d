"""Whether a fault of the database is its own, and passes, or comes of what it was asked: `too many SQL variables`."""

import sqlite3

from django.db import Error, InterfaceError, OperationalError, connection

from work.watching.checks import database

# Django's two for both kinds.
FAULTS = (OperationalError, InterfaceError)
RETRY_SECONDS = 10
# How SQLSTATE begins: no connection, rolled back for another, no room, a lock not had in time, shut down, its disk.
PASSING = ("08", "40", "53", "55P03", "57", "58")
# Likewise SQLite's code in its lower byte.
PASSING_OF_SQLITE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


def is_away(error: BaseException | None) -> bool:
    """Whether to come again helps. What the error does not say, the connection does."""
    return isinstance(error, FAULTS) and (_passes(error) or connection.connection is None or bool(database()))


def _passes(error: Error) -> bool:
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in PASSING_OF_SQLITE
    return str(getattr(cause, "sqlstate", None) or "").startswith(PASSING)
