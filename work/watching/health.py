"""Whether all that the site needs is there: database, migrations, static files, queue, workers. No secret is named.

A worker says that it lives every ten seconds, in the cache that all processes share.
"""

import logging
import posixpath
import sqlite3
import time
from collections.abc import Iterable
from typing import Any

from celery import current_app
from celery.signals import heartbeat_sent
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.db import Error, InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from redis.exceptions import RedisError

from work.queues import Queue

log = logging.getLogger(__name__)

EVERY = 10.0
# After so many seconds without a beat it is not believed to live.
SILENT = 45
_last = {"at": 0.0}
# Without these something that a page promises does not happen; others are only run where they are needed.
NEEDED = (Queue.UPKEEP, Queue.FIGURES, Queue.LARGE, Queue.SCORING)
# What is migrated stays so as long as this process runs.
_migrated = {"done": False}
# What a process knows of the collected files, it read when it started; and what was found of that.
_collected: dict[str, Any] = {"files": None, "fault": ""}
# Django's two for both kinds.
FAULTS = (OperationalError, InterfaceError)
RETRY_SECONDS = 10
# How SQLSTATE begins: no connection, rolled back for another, no room, a lock not had in time, shut down, its disk.
PASSING = ("08", "40", "53", "55P03", "57", "58")
# No connection, and shut down.
ENDED = ("08", "57P")
# Likewise SQLite's code in its lower byte.
PASSING_OF_SQLITE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


@heartbeat_sent.connect
def _beat(**_: object) -> None:
    now = time.monotonic()
    if now - _last["at"] < EVERY:
        return
    _last["at"] = now
    queues: Any = current_app.amqp.queues.consume_from
    try:
        cache.set_many({_key(queue): time.time() for queue in queues}, SILENT)
    except RedisError as error:
        log.warning("Nobody is told that this worker lives: %s", error)


def beats() -> dict[Queue, float]:
    """When each queue's workers were last heard of, in seconds since 1970; those without any are left out."""
    found = cache.get_many([_key(queue) for queue in Queue])
    return {queue: found[_key(queue)] for queue in Queue if _key(queue) in found}


def _key(queue: str) -> str:
    return f"alive:{queue}"


def read_faults(needed: Iterable[Queue] = NEEDED) -> dict[str, str]:
    """By what was looked at, what is wrong with it; empty where it is as it should be."""
    return {
        "database": database(),
        "migrations": migrations(),
        "static files": static_files(),
        **_queue_and_workers(needed),
    }


def database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        log.warning("The database does not answer: %s", error)
        return "The database does not answer."
    return ""


def migrations() -> str:
    if _migrated["done"]:
        return ""
    try:
        executor = MigrationExecutor(connection)
        left = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return "The database does not say which migrations it has."
    if left:
        return f"Migrations are not applied: {len(left)}. Run manage.py migrate."
    _migrated["done"] = True
    return ""


def static_files() -> str:
    """A page that names a file which was not collected is an error."""
    files = getattr(staticfiles_storage, "hashed_files", None)
    if files is None:
        return ""
    if _collected["files"] is not files:
        listed = ((name, place) for finder in get_finders() for name, place in finder.list([]))
        ours = {posixpath.join(getattr(place, "prefix", None) or "", name) for name, place in listed}
        missing = sorted(ours - set(files))
        said = f"({len(missing)}: {missing[0]} …), so pages fail" if missing else ""
        again = "run manage.py collectstatic and restart the web server."
        _collected["fault"] = said and f"Static files of this version are not collected {said}: {again}"
        _collected["files"] = files
    return str(_collected["fault"])


def _queue_and_workers(needed: Iterable[Queue]) -> dict[str, str]:
    try:
        heard = beats()
    except RedisError as error:
        log.warning("The queue’s server does not answer: %s", error)
        return {"queue": "The task queue cannot be reached.", "workers": "Workers cannot be asked."}
    silent = [queue for queue in needed if queue not in heard]
    return {"queue": "", "workers": f"No worker reads: {', '.join(silent)}." if silent else ""}


def is_away(error: BaseException | None) -> bool:
    """Whether to come again helps. What the error does not say, the connection does."""
    return isinstance(error, FAULTS) and (_passes(error) or connection.connection is None or bool(database()))


def breaks_off(error: BaseException | None) -> bool:
    """Whether the database ended this thread's connection: not where it refuses something, full or locked.

    The error says it first: Django may have opened the connection anew, where a transaction ended with it.
    """
    if not isinstance(error, FAULTS):
        return False
    cause = error.__cause__
    state = getattr(cause, "sqlstate", None)
    # What the client says by itself has no SQLSTATE: that the server is gone.
    is_of_client = cause is not None and not isinstance(cause, sqlite3.Error) and state is None
    if is_of_client or str(state or "").startswith(ENDED):
        return True
    return connection.connection is None or not connection.is_usable()


def _passes(error: Error) -> bool:
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in PASSING_OF_SQLITE
    return str(getattr(cause, "sqlstate", None) or "").startswith(PASSING)
