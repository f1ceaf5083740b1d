"""A part of a pass over a corpus that waits for a worker; it is gone once what is found lies in the store."""

from datetime import timedelta

from django.db import models

from annotation.models.constraints import one_of
from work.leases import IN_TURN, Leased, LeasedQuerySet
from work.queues import Queue

# What can be looked for, by its name: a class that a process without Django imports.
FINDERS = {"associations": "scoring.baselines.associations.tally.AssociationFinder"}


class PartState(models.TextChoices):
    WAITING = "waiting"
    HELD = "held"
    FAILED = "failed"


class CorpusPart(Leased):
    """At most one of the same: the name of what is found in it is unique."""

    State = PartState

    WAITS, HELD, SINCE = State.WAITING, State.HELD, "asked_at"
    QUEUE, NOUN = Queue.JOBS, "part of a corpus"
    # A pass waits for it.
    LEASE = timedelta(minutes=2)

    name = models.CharField(max_length=120, unique=True, help_text="Of what is found, in the store.")
    order = models.JSONField(help_text="The fields of corpus.parts.Order.")
    state = models.CharField(max_length=10, choices=PartState, default=PartState.WAITING)
    error = models.TextField(blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)

    objects = LeasedQuerySet["CorpusPart"].as_manager()

    class Meta:
        constraints = [one_of("state", PartState, name="corpus_part_state")]

    def __str__(self) -> str:
        return self.name

    @property
    def priority(self) -> int:
        return IN_TURN
