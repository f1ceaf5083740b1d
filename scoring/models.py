"""Models that answer, their runs over a study, and the scores."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from annotation.models.constraints import one_of
from scoring.corpus_passes.part import CorpusPart  # noqa: F401 Django finds it here
from scoring.library.location import Location
from scoring.scorers.contract import ModelSpec
from scoring.scoring_workers import RunDevice, ScoringWorker
from scoring.worker_requests import Addition, Trial  # noqa: F401 Django finds them here
from work.leases import IN_TURN, Leased, LeasedQuerySet
from work.queues import Queue

# Of a run's name where room is short.
LONGEST_SHORT_NAME = 14


class ModelFamily(models.TextChoices):
    MASKED = "masked", "masked language model"
    CAUSAL = "causal", "causal language model"
    CLASSIFIER = "classifier", "classifier"
    BASELINE = "baseline", "baseline"
    ENDPOINT = "endpoint", "model behind the endpoint"
    OTHER = "other", "model of another kind"


class LanguageModel(models.Model):
    """What answers: `family` is its kind for readers, `method` its scorer, `source` what that looks things up in."""

    Family = ModelFamily

    key = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    family = models.CharField(max_length=12, choices=Family)
    method = models.CharField(
        max_length=40, blank=True, help_text="The scorer that answers; of a baseline its own. Empty for imported ones."
    )
    location = models.CharField(max_length=10, choices=Location, default=Location.NONE)
    source = models.CharField(
        max_length=300, blank=True, help_text="The name there: a folder's, a store's, a path, a model id."
    )
    revision = models.CharField(max_length=80, blank=True, help_text="Commit of a hub model.")
    files = models.JSONField(default=dict, help_text="sha256 of every file of a folder that decides the answers.")
    file_hash = models.CharField(max_length=64, blank=True, help_text="sha256 of `files`.")
    dtype = models.CharField(max_length=12, default="float32")
    settings = models.JSONField(default=dict, help_text="Such as the declared start token.")
    reading = models.JSONField(
        null=True,
        blank=True,
        help_text="What its tokenizer reads otherwise than transformers' class; null: not looked at yet.",
    )
    license = models.CharField(max_length=120, blank=True)
    is_imported = models.BooleanField(
        default=False, help_text="Known by score files only: it cannot be run here, and its family is what was stated."
    )

    class Meta:
        ordering = ["family", "name"]
        constraints = [
            one_of("family", ModelFamily, name="model_family"),
            one_of("location", Location, name="model_location"),
            # What is known by its scores alone is never asked; of the rest each but a baseline answers as its family.
            models.CheckConstraint(
                condition=Q(is_imported=True, method="", location="none")
                | Q(Q(is_imported=False, family="baseline"), ~Q(method=""))
                | Q(
                    is_imported=False,
                    family__in=["masked", "causal", "classifier", "endpoint"],
                    method=F("family"),
                ),
                name="model_method",
            ),
            models.CheckConstraint(
                condition=Q(location="none", source="") | Q(~Q(location="none"), ~Q(source="")), name="model_source"
            ),
            models.CheckConstraint(
                condition=Q(method="endpoint", location="endpoint") | Q(~Q(method="endpoint"), ~Q(location="endpoint")),
                name="model_endpoint",
            ),
            models.UniqueConstraint(
                fields=["name", "family"], condition=Q(is_imported=True), name="model_imported_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_baseline(self) -> bool:
        """Whether it is one of our own baselines: scores that were imported as those of a baseline are another's."""
        return self.family == self.Family.BASELINE and not self.is_imported

    @property
    def gives_labels_only(self) -> bool:
        """Whether it is a baseline that has nothing to look things up in: it answers in no time."""
        return self.family == self.Family.BASELINE and self.location == Location.NONE

    @property
    def is_counted(self) -> bool:
        """Whether it is a baseline from counted text, which has its store to look things up in."""
        return self.location == Location.STORE

    @property
    def card(self) -> dict[str, Any]:
        """What a model that was made here says of itself beside its weights; empty for others, or elsewhere."""
        if self.location not in (Location.MODELS, Location.PATH):
            return {}
        try:
            card = json.loads((Path(self.spec.source) / "card.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return card if isinstance(card, dict) else {}

    @property
    def spec(self) -> ModelSpec:
        """What a scorer must know."""
        source = Location(self.location).resolve(self.source)
        return ModelSpec(self.method, source, self.revision, self.files, self.dtype, self.settings)


class RunState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


LIVE = (RunState.QUEUED, RunState.RUNNING)


class Run(models.Model):
    State = RunState
    Device = RunDevice

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="runs")
    model = models.ForeignKey(LanguageModel, models.PROTECT, related_name="runs")
    metric = models.CharField(max_length=40)
    metric_version = models.CharField(max_length=20)
    short_name = models.CharField(
        max_length=LONGEST_SHORT_NAME, blank=True, help_text="What a researcher calls it; empty: made of both names."
    )
    settings = models.JSONField(default=dict, help_text="What its scorer was given: seed, majority label, word list.")
    provenance = models.JSONField(default=dict, help_text="What it takes to repeat the run.")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    total = models.PositiveIntegerField(default=0)
    scored = models.PositiveIntegerField(default=0)
    unscored = models.PositiveIntegerField(default=0)
    turn = models.BigIntegerField(default=0, help_text="When it last had a worker, counted; 0: not since it waits.")
    error = models.TextField(blank=True)
    asked_by = models.CharField(max_length=150, blank=True, help_text="The researcher; empty for the command line.")
    # Page, command and API ask for it in these words. No part of `settings`: scores of either are the same measure.
    device = models.CharField(
        "where",
        max_length=3,
        choices=Device,
        default=Device.ANY,
        db_default=Device.ANY,
        help_text="gpu: only workers with a GPU score it, and it waits for one. Baselines and endpoints need none.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    done_before = models.PositiveIntegerField(
        default=0, help_text="Items that were done when it started: none, unless it had been stopped and goes on."
    )

    class Meta:
        ordering = ["model__family", "model__name", "metric"]
        constraints = [
            models.UniqueConstraint(fields=["study", "model", "metric"], name="run_unique"),
            models.UniqueConstraint(
                fields=["study", "short_name"], condition=~Q(short_name=""), name="run_short_name_unique"
            ),
            one_of("state", RunState, name="run_state"),
            one_of("device", RunDevice, name="run_device"),
        ]
        # Few runs are live at a time, whatever has been run before.
        indexes = [models.Index(fields=["state"], name="run_by_state")]

    def __str__(self) -> str:
        return f"{self.model} · {self.metric_shown}"

    @property
    def metric_shown(self) -> str:
        """The metric as pages, figures and files name it: what was not computed here is known everywhere."""
        return f"{self.metric} (imported)" if self.model.is_imported else self.metric

    @property
    def done(self) -> int:
        return self.scored + self.unscored

    @property
    def is_live(self) -> bool:
        return self.state in LIVE


class Score(models.Model):
    """What one run says about one item: a decision and a strength, or the reason there is none."""

    # Its index is that of `score_once`, which begins with it.
    run = models.ForeignKey(Run, models.CASCADE, db_index=False, related_name="scores")
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


class ScoreSource(models.Model):
    """The file that an imported run was read from: what it says it is, who brought it, and how it was read."""

    run = models.OneToOneField(Run, models.CASCADE, related_name="source")
    name = models.CharField(max_length=255, help_text="The file's name.")
    sha256 = models.CharField(max_length=64)
    note = models.CharField(max_length=500, help_text="Where the file is from, in the researcher's words.")
    reading = models.JSONField(default=dict, help_text="Which column was read as what.")
    imported_by = models.CharField(max_length=150, blank=True, help_text="The researcher; empty for the command line.")
    imported_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ChunkQuerySet(LeasedQuerySet["Chunk"]):
    def waiting(self) -> "LeasedQuerySet[Chunk]":
        return super().waiting().filter(run__state__in=LIVE).select_related("run__model")

    def takeable(self) -> "LeasedQuerySet[Chunk]":
        """Messages for what every worker refuses would only be thrown away; a worker that takes it sends them."""
        refused = ScoringWorker.objects.refused_by_all()
        return self.exclude(run__in=Run.objects.filter(refused.runs)) if refused else self

    def claim(self, pk: int, *, worker: str, until: datetime | None = None) -> "Chunk | None":
        """With its run as it stood at the claim: whether it still asks the same is seen when the scores are written."""
        return super(ChunkQuerySet, self.select_related("run__model", "run__study")).claim(
            pk, worker=worker, until=until
        )


class ChunkState(models.TextChoices):
    WAITING = "waiting"
    CLAIMED = "claimed"


class Chunk(Leased):
    """A part of a run that one worker scores in one go. Claimed by conditional update under a lease; gone when done."""

    State = ChunkState

    WAITS, HELD, SINCE = State.WAITING, State.CLAIMED, "cut_at"
    QUEUE, NOUN = Queue.SCORING, "run"
    NOUNS = "parts of runs"
    # An endpoint that is asked ten times an item, and asks to wait, takes over an hour.
    LIMIT = timedelta(hours=3)

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    item_ids = models.JSONField()
    cut_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        constraints = [one_of("state", ChunkState, name="chunk_state")]
        indexes = [models.Index(fields=["run", "state", "id"], name="chunk_first")]

    def __str__(self) -> str:
        return f"{len(self.item_ids)} items of {self.run_id}"

    @property
    def queue(self) -> Queue:
        """A baseline that gives labels takes no time and must not wait behind models that take minutes."""
        return Queue.UPKEEP if self.run.model.gives_labels_only else self.QUEUE

    @property
    def priority(self) -> int:
        return IN_TURN


class EndpointCall(models.Model):
    """One request to the endpoint that the settings name, whatever came of it."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="calls")
    model = models.CharField(max_length=120)
    at = models.DateTimeField(auto_now_add=True)
    prompt_sha256 = models.CharField(max_length=64, help_text="sha256 of the messages.")
    status = models.PositiveSmallIntegerField(help_text="HTTP status; 0 where no answer came.")
    milliseconds = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField(null=True, help_text="As the endpoint counts them.")
    cost = models.DecimalField(max_digits=14, decimal_places=8, help_text="Tokens times PROMPT_ENDPOINT_PRICE.")

    class Meta:
        verbose_name = "call to the endpoint"
        verbose_name_plural = "calls to the endpoint"

    def __str__(self) -> str:
        return f"{self.status} {self.model} {self.at:%Y-%m-%d %H:%M:%S}"


class Measurement(models.Model):
    """One measure of one model: whose answers the remembered ones are, and what they were computed with."""

    fingerprint = models.CharField(max_length=64, unique=True, help_text="sha256 of all that decides the answers.")
    measure = models.CharField(max_length=40)
    provenance = models.JSONField(default=dict, help_text="What the scorer said of itself when it was last asked.")

    def __str__(self) -> str:
        return f"{self.measure} {self.fingerprint[:12]}"


class Remembered(models.Model):
    """A model's answer to one request. May be deleted at any time: it would be computed again."""

    measurement = models.ForeignKey(Measurement, models.CASCADE, related_name="remembered")
    question = models.CharField(max_length=64, help_text="sha256 of the request.")
    answer = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["measurement", "question"], name="remembered_once")]

    def __str__(self) -> str:
        return self.question[:12]
