"""Models that answer, their runs over a study, and the scores."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scoring.scorers import ModelSpec

# A source that begins so is a folder under MODELS_DIR, so that the row stays true when the installation moves.
PACKAGED = "packaged:"


class LanguageModel(models.Model):
    class Family(models.TextChoices):
        MASKED = "masked", "masked language model"
        CAUSAL = "causal", "causal language model"
        CLASSIFIER = "classifier", "classifier"
        BASELINE = "baseline", "baseline"

    key = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    family = models.CharField(max_length=12, choices=Family)
    source = models.CharField(max_length=300, help_text="A folder, a model id, or the name of a built-in baseline.")
    revision = models.CharField(max_length=80, blank=True, help_text="Commit of a hub model.")
    file_hash = models.CharField(max_length=64, blank=True, help_text="sha256 of the weights file.")
    dtype = models.CharField(max_length=12, default="float32")
    settings = models.JSONField(default=dict, help_text="Such as the declared start token.")
    licence = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["family", "name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(family__in=["masked", "causal", "classifier", "baseline"]), name="model_family"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def spec(self) -> ModelSpec:
        """What a scorer must know. The packaged models lie in this installation's own folder."""
        packaged = self.source.startswith(PACKAGED)
        source = str(settings.MODELS_DIR / self.source.removeprefix(PACKAGED)) if packaged else self.source
        scorer = self.source if self.family == self.Family.BASELINE else self.family
        return ModelSpec(scorer, source, self.revision, self.file_hash, self.dtype, self.settings)


class Run(models.Model):
    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        STOPPED = "stopped"
        FAILED = "failed"

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="runs")
    model = models.ForeignKey(LanguageModel, models.PROTECT, related_name="runs")
    metric = models.CharField(max_length=40)
    metric_version = models.CharField(max_length=20)
    settings = models.JSONField(default=dict, help_text="What the scorer was told: seed, majority label, word list.")
    provenance = models.JSONField(default=dict, help_text="What it takes to repeat the run.")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    total = models.PositiveIntegerField(default=0)
    scored = models.PositiveIntegerField(default=0)
    unscored = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["model__family", "model__name", "metric"]
        constraints = [
            models.UniqueConstraint(fields=["study", "model", "metric"], name="run_unique"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "finished", "stopped", "failed"]), name="run_state"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} · {self.metric}"

    @property
    def done(self) -> int:
        return self.scored + self.unscored

    @property
    def is_live(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)


class Score(models.Model):
    """What one run says about one item: a decision and a strength, or the reason there is none."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="scores")
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="scores")
    decision = models.CharField(max_length=80, null=True)
    strength = models.FloatField(null=True)
    detail = models.JSONField(default=dict)
    unscored = models.TextField(blank=True, help_text="The reason; empty where there is a score.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "item"], name="score_once"),
            models.CheckConstraint(
                condition=Q(unscored="") | (Q(decision__isnull=True) & Q(strength__isnull=True)),
                name="score_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.decision or self.unscored or f"{self.strength}"


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def claim(self, pk: int, *, worker: str, until: datetime) -> "Chunk | None":
        """Take a waiting chunk for this worker; None if someone else has it or it is gone."""
        won = self.filter(pk=pk, state=Chunk.State.WAITING).update(
            state=Chunk.State.CLAIMED, worker=worker, lease_expires_at=until, attempts=F("attempts") + 1
        )
        return self.select_related("run__model", "run__study").get(pk=pk) if won else None

    def orphaned(self, *, worker: str | None = None) -> "ChunkQuerySet":
        """Claimed chunks whose lease has run out, or that `worker`, just started anew, had claimed before."""
        lost = Q(lease_expires_at__lt=timezone.now())
        if worker is not None:
            lost |= Q(worker=worker)
        return self.filter(lost, state=Chunk.State.CLAIMED)


class Chunk(models.Model):
    """A part of a run that one worker scores in one go. Claimed by conditional update under a lease; gone when done."""

    # Far longer than a chunk takes. A worker that starts anew does not wait for it.
    LEASE = timedelta(minutes=15)

    class State(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    item_ids = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    worker = models.CharField(max_length=120, blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, help_text="When its message was last put on the queue.")

    objects = ChunkQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(state__in=["waiting", "claimed"]), name="chunk_state")]
        indexes = [models.Index(fields=["run", "state"], name="chunk_run_state")]

    def __str__(self) -> str:
        return f"{len(self.item_ids)} items of {self.run_id}"
