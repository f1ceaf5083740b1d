"""Errands: work about something that has no row of its own, such as a file that is made or a study that is deleted."""

from typing import Literal

from django.db import models
from django.utils import timezone

from work.leases import IN_TURN, Leased, LeasedQuerySet
from work.queues import Queue


class ErrandQuerySet(LeasedQuerySet["Errand"]):
    def waiting_by_queue(self) -> "dict[Queue | Literal[''], LeasedQuerySet[Errand]]":
        waiting = self.waiting()
        return {Queue.FIGURES: waiting.filter(is_large=False), Queue.LARGE: waiting.filter(is_large=True)}


class ErrandState(models.TextChoices):
    WAITING = "waiting"
    HELD = "held"


class Errand(Leased):
    """What is to be done, by its name, and with what. At most one of the same waits; it is deleted when done."""

    State = ErrandState

    WAITS, HELD, SINCE = State.WAITING, State.HELD, "asked_at"
    QUEUE, NOUN = Queue.FIGURES, "request"
    NOUNS = "figures and files"

    name = models.CharField(max_length=60)
    given = models.JSONField(default=list)
    waits = models.JSONField(default=list, help_text="By what whoever waits for it is known.")
    fingerprint = models.CharField(max_length=64, unique=True, help_text="sha256 of name and given.")
    state = models.CharField(max_length=10, choices=ErrandState, default=ErrandState.WAITING)
    study = models.BigIntegerField(default=0, help_text="Whose it is: studies take turns.")
    is_large = models.BooleanField(default=False, help_text="It takes minutes, and keeps nothing small waiting.")
    asked_at = models.DateTimeField(default=timezone.now)
    turn = models.BigIntegerField(default=0, help_text="When its study last had one, counted; 0: it has had none.")

    objects = ErrandQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(state__in=["held", "waiting"]), name="errand_state")]
        indexes = [models.Index(fields=["state", "is_large", "turn", "id"], name="errand_in_turn")]

    def __str__(self) -> str:
        return f"{self.name} {self.given}"

    @property
    def queue(self) -> Queue:
        return Queue.LARGE if self.is_large else self.QUEUE

    @property
    def priority(self) -> int:
        """Figures of a page, which somebody looks at, go first."""
        return IN_TURN
