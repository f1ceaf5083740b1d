"""Which rows the workers of a queue take and which they refuse, as their processes write it down every few seconds.

So a row that none takes can say so. Each also sends what it takes and finds without a message: a worker that does not
take a row may have had its message, before this one was there to take it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from celery import current_app
from celery.signals import worker_process_init
from django.db import Error, connection, models
from django.db.models.functions import Now

from work.leases import LeasedQuerySet
from work.place import place
from work.queue import GONE, QueueSilent, messages_waiting, send
from work.queues import Queue
from work.watching.health import SILENT

log = logging.getLogger(__name__)

EVERY = 10.0
# What is older is no worker any more, and only takes room.
FORGOTTEN = timedelta(days=7)

SayingRow = TypeVar("SayingRow", bound="Saying")


class SayingQuerySet(models.QuerySet[SayingRow]):
    def live(self) -> "SayingQuerySet[SayingRow]":
        return self.filter(said_at__gte=Now() - timedelta(seconds=SILENT))

    def others(self) -> "SayingQuerySet[SayingRow]":
        """Those that live beside this process."""
        return self.live().exclude(place=place())

    def say(self, **said: Any) -> None:
        """Of this process."""
        if not self.filter(place=place()).update(**said, said_at=Now()):
            self.create(place=place(), **said, said_at=Now())
            self.filter(said_at__lt=Now() - FORGOTTEN).delete()

    def all_refuse(self) -> set[str]:
        """What no worker takes; nothing where none lives, of which nothing is known."""
        return in_all(set(keys) for keys in self.live().values_list("refuses", flat=True))


def in_all(sets: Iterable[set[str]]) -> set[str]:
    """
    >>> in_all([{"a", "b"}, {"b"}]), in_all([])
    ({'b'}, set())
    """
    every = list(sets)
    return set.intersection(*every) if every else set()


class Saying(models.Model):
    """A process that works, and what it refuses, as it last said."""

    place = models.CharField(max_length=120, unique=True, help_text="Its worker's name, and which process of it.")
    refuses = models.JSONField(default=dict, help_text="Of what is to be done, by key, why it does not take it.")
    said_at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ["place"]

    def __str__(self) -> str:
        return self.place


class Reasons:
    """Why this process refuses some of what is asked for, looked up again after some seconds."""

    def __init__(self, look: Callable[[set[int]], Mapping[int, str]]) -> None:
        self._look = look
        # When each was looked at, and why it is refused.
        self._looked: dict[int, tuple[float, str]] = {}

    def of(self, asked: Iterable[int]) -> dict[int, str]:
        """Those of them that are refused, as it was some seconds ago at most."""
        keys, now = set(asked), time.monotonic()
        anew = {key for key in keys if key not in self._looked or now - self._looked[key][0] >= EVERY}
        if anew:
            self._looked |= {key: (now, reason) for key, reason in self._look(anew).items()}
        return {key: self._looked[key][1] for key in keys if key in self._looked and self._looked[key][1]}


def send_without_message(rows: "LeasedQuerySet[Any]", queue: Queue) -> None:
    """As many of these rows, which wait on the queue, as it lacks messages."""
    if (lacking := rows.count()) and (lacking := lacking - messages_waiting(queue)) > 0:
        send(rows[:lacking])


def keep_saying(queue: Queue, say: Callable[[], None]) -> None:
    """`say` is called every few seconds in each process that reads the queue."""

    def begin(**_: object) -> None:
        queues: Any = current_app.amqp.queues.consume_from
        if queue in queues:
            threading.Thread(target=_again_and_again, args=(say,), name="taking", daemon=True).start()

    worker_process_init.connect(begin, weak=False)


def _again_and_again(say: Callable[[], None]) -> None:
    while True:
        try:
            say()
        except (Error, QueueSilent, *GONE) as error:
            log.warning("Other processes are not told what this worker takes: %s", error)
        finally:
            connection.close()
        time.sleep(EVERY)
