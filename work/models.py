"""Errands: work about something that has no row of its own, such as a file that is made or a study that is deleted."""

from django.db import models

from work.leases import IN_TURN, Leased, LeasedQuerySet
from work.queues import Queue


class ErrandQuerySet(LeasedQuerySet["Errand"]):
    pass


class ErrandState(models.TextChoices):
    WAITING = "waiting"
    HELD = "held"


class Errand(Leased):
    """What is to be done, by its name, and with what. At most one of the same waits; it is deleted when done."""

    State = ErrandState

    WAITS, HELD = State.WAITING, State.HELD
    QUEUE, NOUN = Queue.FIGURES, "request"

    name = models.CharField(max_length=60)
    given = models.JSONField(default=list)
    waits = models.JSONField(default=list, help_text="By what whoever waits for it is known.")
    fingerprint = models.CharField(max_length=64, unique=True, help_text="sha256 of name and given.")
    state = models.CharField(max_length=10, choices=ErrandState, default=ErrandState.WAITING)

    objects = ErrandQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(state__in=["held", "waiting"]), name="errand_state")]

    def __str__(self) -> str:
        return f"{self.name} {self.given}"

    @property
    def priority(self) -> int:
        """Figures of a page, which somebody looks at, go first."""
        return IN_TURN
