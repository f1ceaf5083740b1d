"""A job: long work that a researcher asked for on a page, how far it is, and what came of it. And what a construction
found out while it made a study.
"""

from datetime import timedelta
from typing import Literal

from django.conf import settings as site
from django.db import models
from django.utils import timezone

from annotation.models.constraints import one_of
from work.leases import IN_TURN, Leased, LeasedQuerySet
from work.queues import Queue


class JobQuerySet(LeasedQuerySet["Job"]):
    def waiting_by_queue(self) -> "dict[Queue | Literal[''], LeasedQuerySet[Job]]":
        waiting = self.waiting()
        return {Queue.JOBS: waiting.filter(kind__in=BUILT), Queue.LARGE: waiting.exclude(kind__in=BUILT)}

    def live(self) -> "JobQuerySet":
        return self.filter(state__in=[JobState.QUEUED, JobState.RUNNING])


class JobState(models.TextChoices):
    # Its files are here, and it is not said yet how they are read.
    PREPARED = "prepared"
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


class JobKind(models.TextChoices):
    CONSTRUCTION = "construction", "study from text"
    DATA_SET = "dataset", "study from a published data set"
    FOLDER = "folder", "study folder"
    ITEMS = "items", "items"
    LABELS = "labels", "labels"
    SCORES = "scores", "scores"


# What takes hours, and so many cores; everything else is a file of somebody's who waits for it, and takes minutes.
BUILT = (JobKind.CONSTRUCTION, JobKind.DATA_SET)


class Job(Leased):
    """A study that is made of text, a data set, a table or its folder; or items, labels or scores brought into one.

    `given` has option values by name, as a form has them; `files` says of each uploaded file for which option it is,
    its name, size and sha256, and `sources` which of the server's folders were chosen for which option. `faults` are
    [file, field, message].
    """

    Kind = JobKind
    State = JobState

    WAITS, HELD, SINCE = State.QUEUED, State.RUNNING, "created_at"
    QUEUE, NOUN = Queue.JOBS, "job"
    NOUNS = "studies and imports"
    LIMIT = timedelta(hours=24)

    kind = models.CharField(max_length=12, choices=JobKind)
    key = models.CharField(max_length=40, help_text="Which construction, data set or format.")
    owner = models.ForeignKey(site.AUTH_USER_MODEL, models.CASCADE, related_name="jobs")
    study = models.ForeignKey(
        "annotation.Study", models.CASCADE, null=True, related_name="jobs", help_text="Into which something is brought."
    )
    given = models.JSONField(default=dict)
    files = models.JSONField(default=list)
    sources = models.JSONField(default=dict)

    state = models.CharField(max_length=10, choices=JobState, default=JobState.QUEUED)
    step = models.CharField(max_length=200, blank=True, help_text="What is being done.")
    done = models.BigIntegerField(default=0)
    of = models.BigIntegerField(default=0, help_text="0: how much there is to do is not known.")
    unit = models.CharField(max_length=20, blank=True)
    step_at = models.DateTimeField(null=True, help_text="Since when it is at this step.")
    log = models.JSONField(default=list, help_text="[time, words]: what was begun when.")
    error = models.TextField(blank=True)
    faults = models.JSONField(default=list)
    faults_count = models.PositiveIntegerField(default=0)
    summary = models.JSONField(default=list, help_text="Lines that say what was drawn and what was left out.")
    made = models.ManyToManyField("annotation.Study", related_name="made_by_jobs")
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now, help_text="When its owner last chose how it is read.")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            one_of("state", JobState, name="job_state"),
            one_of("kind", JobKind, name="job_kind"),
        ]
        indexes = [models.Index(fields=["owner", "-created_at"], name="job_owner")]

    def __str__(self) -> str:
        named = [str(file["name"]) for file in self.files]
        if self.kind in (JobKind.ITEMS, JobKind.LABELS, JobKind.SCORES) and named:
            more = f" and {len(named) - 1} more" if len(named) > 1 else ""
            return f"{self.get_kind_display().capitalize()} from {named[0]}{more}"
        return f"{self.get_kind_display().capitalize()}: {self.key}"

    @property
    def queue(self) -> Queue | Literal[""]:
        return self.QUEUE if self.kind in BUILT else Queue.LARGE

    @property
    def limit(self) -> timedelta:
        return self.LIMIT if self.kind in BUILT else Leased.LIMIT

    @property
    def priority(self) -> int:
        return IN_TURN

    @property
    def is_live(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def can_start_again(self) -> bool:
        return self.state in (self.State.STOPPED, self.State.FAILED)

    def require_wanted(self) -> None:
        """LeaseLost where its worker is not to go on; a page always is."""
        if self.state == self.State.RUNNING:
            self.renew()

    def keep_given(self) -> None:
        """Store what was chosen. LeaseLost, as above."""
        if self.state == self.State.RUNNING:
            self.write(given=self.given)
        else:
            self.touched_at = timezone.now()
            self.save(update_fields=["given", "touched_at"])

    @property
    def took(self) -> timedelta | None:
        return self.finished_at - self.started_at if self.finished_at and self.started_at else None


class MadeFigure(models.Model):
    """A table that whoever made the study found out while making it, and how it is drawn: `stimuli.making.contract`."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="made_figures")
    position = models.PositiveSmallIntegerField()
    name = models.SlugField(max_length=40)
    title = models.CharField(max_length=200)
    said = models.TextField(help_text="What it is of, with n, and its interval or why it has none.")
    columns = models.JSONField()
    rows = models.JSONField()
    shown = models.PositiveIntegerField(help_text="Rows that a page shows.")
    look = models.JSONField(null=True, help_text="By which columns it is drawn; null: it is a table alone.")

    class Meta:
        ordering = ["study", "position"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="made_figure_once")]

    def __str__(self) -> str:
        return self.title
