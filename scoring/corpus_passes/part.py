"""A part of a pass over a corpus that waits for a worker; it is gone once what is found lies in the store."""

import logging
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, Self

from django.db import models

from annotation.models.constraints import one_of
from corpus.errors import BuildError
from work.leases import IN_TURN, Leased, LeasedQuerySet
from work.queue import QueueSilent, send
from work.queues import Queue

log = logging.getLogger(__name__)

# What can be looked for, by its name: a class that a process without Django imports.
FINDERS = {"associations": "scoring.baselines.associations.tally.AssociationFinder"}


class PartFailed(BuildError):
    """str() says on which machine, and why."""

    @property
    def why(self) -> str:
        return str(self).partition(": ")[2]


class PartState(models.TextChoices):
    WAITING = "waiting"
    HELD = "held"
    FAILED = "failed"


class CorpusPartQuerySet(LeasedQuerySet["CorpusPart"]):
    def named(self, names: Collection[str]) -> Self:
        return self.filter(name__in=names)

    def ask(self, name: str, order: Mapping[str, Any]) -> None:
        """Have a worker do it; again where that has failed."""
        row, is_new = self.get_or_create(name=name, defaults={"order": order})
        if not is_new and row.state == PartState.FAILED:
            again = {"state": PartState.WAITING, "attempts": 0, "error": "", "order": order}
            self.filter(pk=row.pk, state=row.state).update(**again)
            row.refresh_from_db()
        try:
            send([row])
        except QueueSilent as error:
            # Who asks does it, if nobody else.
            log.warning("%s", error)

    def forget(self) -> None:
        """What no worker has begun, since nobody will read it, and what has failed, which is asked for again anyway."""
        self.filter(state__in=(PartState.WAITING, PartState.FAILED)).delete()

    def require_not_failed(self, name: str) -> bool:
        """Whether it is asked for. PartFailed, as its worker said it, where it has failed."""
        row = self.filter(name=name).first()
        if row is not None and row.state == PartState.FAILED:
            raise PartFailed(row.error)
        return row is not None


class CorpusPart(Leased):
    """At most one of the same: the name of what is found in it is unique."""

    State = PartState

    WAITS, HELD, SINCE = State.WAITING, State.HELD, "asked_at"
    QUEUE, NOUN = Queue.JOBS, "part of a corpus"
    NOUNS = "parts of corpora"
    # A pass waits for it.
    LEASE = timedelta(minutes=2)

    name = models.CharField(max_length=120, unique=True, help_text="Of what is found, in the store.")
    order = models.JSONField(help_text="The fields of corpus.parts.Order.")
    state = models.CharField(max_length=10, choices=PartState, default=PartState.WAITING)
    error = models.TextField(blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)

    objects = CorpusPartQuerySet.as_manager()

    class Meta:
        constraints = [one_of("state", PartState, name="corpus_part_state")]

    def __str__(self) -> str:
        return self.name

    @property
    def priority(self) -> int:
        return IN_TURN
