"""What is missing, in sentences that name no secret."""

import logging
from collections.abc import Iterable

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from redis.exceptions import RedisError

from work.queues import Queue
from work.watching.alive import beats

log = logging.getLogger(__name__)

# Without these something that a page promises does not happen; others are only run where they are needed.
NEEDED = (Queue.UPKEEP, Queue.FIGURES, Queue.LARGE, Queue.SCORING)
# What is migrated stays so as long as this process runs.
_migrated = {"done": False}


def read_faults(needed: Iterable[Queue] = NEEDED) -> dict[str, str]:
    """By what was looked at, what is wrong with it; empty where it is as it should be."""
    return {"database": database(), "migrations": migrations(), **_queue_and_workers(needed)}


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


def _queue_and_workers(needed: Iterable[Queue]) -> dict[str, str]:
    try:
        heard = beats()
    except RedisError as error:
        log.warning("The queue’s server does not answer: %s", error)
        return {"queue": "The task queue cannot be reached.", "workers": "Workers cannot be asked."}
    silent = [queue for queue in needed if queue not in heard]
    return {"queue": "", "workers": f"No worker reads: {', '.join(silent)}." if silent else ""}
