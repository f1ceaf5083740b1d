"""What somebody asks of the scoring worker in the browser: a model to add, and a test question to one."""

from datetime import timedelta
from typing import TypeVar

from django.db import models

from annotation.models.constraints import one_of
from work.leases import Leased, LeasedQuerySet
from work.queues import Queue

RequestRow = TypeVar("RequestRow", bound="WorkerRequest")


class AdditionState(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished", "added"
    FAILED = "failed"


LIVE = [AdditionState.WAITING, AdditionState.RUNNING]


class WorkerRequestQuerySet(LeasedQuerySet[RequestRow]):
    def live(self) -> "WorkerRequestQuerySet[RequestRow]":
        return self.filter(state__in=LIVE)

    def over(self) -> "WorkerRequestQuerySet[RequestRow]":
        return self.exclude(state__in=LIVE)


class WorkerRequest(Leased):
    """What somebody asked of the scoring worker in the browser: it takes moments, and goes before chunks."""

    State = AdditionState
    WAITS, HELD, SINCE = State.WAITING, State.RUNNING, "asked_at"
    QUEUE = Queue.SCORING

    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    said = models.TextField(blank=True, help_text="What came of it, or how far it is.")

    class Meta:
        abstract = True

    @property
    def is_live(self) -> bool:
        return self.state in LIVE


class Addition(WorkerRequest):
    """A model that somebody asked for: what `scoring.library.registering` is to register."""

    NOUN = "request"
    NOUNS = "added models"
    # Models are fetched.
    LIMIT = timedelta(hours=6)

    wanted = models.JSONField(help_text="The fields of Wanted.")
    upload = models.JSONField(default=dict, help_text="Uploaded files: their folder, names and bytes; or none.")

    objects = WorkerRequestQuerySet["Addition"].as_manager()

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [one_of("state", AdditionState, name="addition_state")]

    def __str__(self) -> str:
        return f"{self.wanted['key']}, asked for by {self.asked_by}"

    @property
    def origin(self) -> str:
        """Where the model is from, as its page names it."""
        return self.wanted["source"] or ", ".join(file["name"] for file in self.upload.get("files", ()))


class Trial(WorkerRequest):
    """The last test question to a model behind the endpoint, and what came of it: one row a model."""

    NOUN = "question"
    NOUNS = "test questions"

    model = models.CharField(max_length=120, unique=True, help_text="As the endpoint knows it.")
    heard = models.JSONField(default=dict, help_text="The fields of Heard.")

    objects = WorkerRequestQuerySet["Trial"].as_manager()

    class Meta:
        constraints = [one_of("state", AdditionState, name="trial_state")]

    def __str__(self) -> str:
        return f"{self.model}, asked by {self.asked_by}"
