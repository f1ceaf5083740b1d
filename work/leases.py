"""A row of work that one worker holds at a time: claimed by conditional update under a lease, given back when lost.

The lease is renewed as long as the worker lives, however long the work takes. It is told by the database's clock: that
of a worker may be off.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal, TypeVar

from django.db import Error, connection, models
from django.db.models import F, Q
from django.db.models.functions import Now

from work.queues import Queue

# Redis hands out what has the lowest number first, and what has the same in the order of sending: what takes moments,
# and all else, of which `Kind.in_turn` may say whose turn it is.
FIRST, IN_TURN = 0, 3

log = logging.getLogger(__name__)

Row = TypeVar("Row", bound="Leased")


class LeaseLost(Exception):
    """The row is no longer this worker's: it was stopped, or given to another."""


class LeasedQuerySet(models.QuerySet[Row]):
    def waiting(self) -> "LeasedQuerySet[Row]":
        """Rows that a worker is to take, in the order of their messages."""
        return self.filter(state=self.model.WAITS).order_by("pk")

    def takeable(self) -> "LeasedQuerySet[Row]":
        """Of these, those that some worker would take: of most kinds all."""
        return self

    def waiting_by_queue(self) -> "dict[Queue | Literal[''], LeasedQuerySet[Row]]":
        """The same, by the queue that their messages go on."""
        return {self.model.QUEUE: self.waiting()}

    def claim(self, pk: int, *, worker: str, until: datetime | None = None) -> Row | None:
        """Take a row that waits for this worker; None if someone else has it or it is not wanted any more."""
        won = self.filter(pk=pk, state=self.model.WAITS).update(
            state=self.model.HELD,
            worker=worker,
            lease_expires_at=until or Now() + self.model.LEASE,
            attempts=F("attempts") + 1,
        )
        return self.get(pk=pk) if won else None

    def held_as(self, row: Row) -> "LeasedQuerySet[Row]":
        """The row, if it is still its worker's: once it was given back it is another's."""
        return self.filter(pk=row.pk, state=self.model.HELD, worker=row.worker, attempts=row.attempts)

    def orphaned(self, *, worker: str | None = None) -> "LeasedQuerySet[Row]":
        """Held rows whose lease has run out, or that `worker`, just started anew, had claimed before."""
        lost = Q(lease_expires_at__lt=Now())
        if worker is not None:
            lost |= Q(worker=worker)
        return self.filter(lost, state=self.model.HELD)

    def give_back(self, *, worker: str | None = None, crashed: bool = True) -> list[Row]:
        """Let lost rows wait again and return them.

        Lost are rows whose lease has run out and, when a worker process starts, those that the process before it in
        the same place had claimed. `crashed` is False where that process was stopped in good order, which does not
        count as an attempt.
        """
        orphans = list(self.orphaned(worker=worker).order_by("pk"))
        held = self.model._default_manager.filter(pk__in=[row.pk for row in orphans], state=self.model.HELD)
        if not crashed:
            # What another machine lost is no part of that.
            held.filter(worker=worker, attempts__gt=0).update(attempts=F("attempts") - 1)
        held.update(state=self.model.WAITS, worker="")
        for row in orphans:
            row.state = self.model.WAITS
        return orphans


class Leased(models.Model):
    """What a worker claims. Its `state` says whether it waits or is held; a lease that ran out means it is lost."""

    # Far longer than the pause between two renewals.
    LEASE = timedelta(minutes=15)
    # How long one attempt may take. Then it has failed, and a minute later its process is killed.
    LIMIT = timedelta(hours=1)
    # The two values of `state` that matter here.
    WAITS: ClassVar[str]
    HELD: ClassVar[str]
    # On which queue its messages go, empty where upkeep takes the rows; and the noun for what is stored meanwhile.
    QUEUE: ClassVar[Queue | Literal[""]]
    NOUN: ClassVar[str]
    # What waits, in words for an administrator.
    NOUNS: ClassVar[str]
    # Since when it waits: the name of a field.
    SINCE: ClassVar[str]

    # Declared by each kind, with states of its own.
    state: Any
    objects: Any

    worker = models.CharField(max_length=120, blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Claims since it last got further.")

    class Meta:
        abstract = True

    @property
    def queue(self) -> Queue | Literal[""]:
        return self.QUEUE

    @property
    def limit(self) -> timedelta:
        return self.LIMIT

    @property
    def priority(self) -> int:
        """Of its message."""
        return FIRST

    def renew(self) -> None:
        """Hold the row longer. LeaseLost."""
        self.write(lease_expires_at=Now() + self.LEASE)

    def release(self, **values: object) -> None:
        """Hold it no longer; `values` say what came of it. LeaseLost."""
        self.write(worker="", lease_expires_at=None, **values)

    def got_further(self, **values: object) -> None:
        """Write what was reached, from which the next claim goes on: this claim is the first again. LeaseLost."""
        self.write(attempts=1, **values)
        self.attempts = 1

    def write(self, **values: object) -> None:
        """Into the row, if it is still this worker's. LeaseLost."""
        if not type(self).objects.held_as(self).update(**values):
            raise LeaseLost


@contextmanager
def renewed(row: Leased) -> Iterator[None]:
    """Renew the row's lease as long as the block runs. A thread does it: the block may be one long wait."""
    over = threading.Event()
    renewing = threading.Thread(target=_keep, args=(row, over), name="lease", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        renewing.join()


def _keep(row: Leased, over: threading.Event) -> None:
    # Two renewals may fail before the lease runs out.
    while not over.wait(row.LEASE.total_seconds() / 3):
        try:
            row.renew()
        except LeaseLost:
            return
        except Error as error:
            log.warning("The lease of %r could not be renewed: %s", row, error)
        finally:
            # The thread's own connection, which nobody else would close, and which may be broken.
            connection.close()
