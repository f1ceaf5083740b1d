"""The time that all machines share: the database's.

Where the clock of a worker is off, leases judged by it would give away what others hold, and what is kept for some
days would be erased too early.
"""

from datetime import datetime

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone


def database_clock() -> datetime | Now:
    """For a condition in a query, which then needs no other query for the time. On SQLite as `database_now`."""
    return Now() if connection.vendor == "postgresql" else timezone.now()


def database_now() -> datetime:
    """On SQLite, which is on this machine, its own."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
