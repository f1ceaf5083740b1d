"""A training: everything that decides its result, how far it is, and what came of it."""

from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Any

from django.conf import settings as site
from django.db import models
from django.db.models import Q

from annotation.models.constraints import one_of
from training.classifier.settings import DEFAULTS, MAJORITY, REFERENCE
from work.leases import Leased, LeasedQuerySet
from work.queues import Queue
from work.taking import Saying, SayingQuerySet

# What is said of every training's settings.
SAID = ("learning_rate", "epochs", "batch_size", "seed")


class TrainingQuerySet(LeasedQuerySet["Training"]):
    def takeable(self) -> "LeasedQuerySet[Training]":
        """Messages for what every worker refuses would only be thrown away; a worker that takes it sends them."""
        return self.exclude(pk__in=TrainingWorker.objects.all_refuse())


class TrainingState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


class TaughtBy(models.TextChoices):
    """Whose labels a training learns."""

    REFERENCE = REFERENCE, "the references"
    MAJORITY = MAJORITY, "the majority of labels"


class Training(Leased):
    """One fine-tuning of one encoder. Unique by the hash of all that decides its result.

    `curves` are `loss`, mean training loss as [step, loss], and `held_out`, one object an epoch with `epoch`, `step`,
    `accuracy` and `loss`.
    """

    State = TrainingState
    TaughtBy = TaughtBy

    WAITS, HELD, SINCE = State.QUEUED, State.RUNNING, "created_at"
    QUEUE, NOUN = Queue.TRAINING, "training"
    NOUNS = "trainings"
    LIMIT = timedelta(hours=72)

    fingerprint = models.CharField(max_length=64, unique=True, help_text="sha256 of all that decides the result.")
    contest = models.CharField(
        max_length=64, help_text="sha256 of base, recipe and items: those that share it can be compared."
    )
    in_grid = models.BooleanField(default=False, help_text="Of its contest only the best one's weights are kept.")
    recipe = models.CharField(max_length=40)
    base = models.JSONField(help_text="Key, name, source, revision, files and license of the encoder.")
    studies = models.JSONField(help_text="Slugs of the studies whose items are trained on.")
    taught_by = models.CharField(
        max_length=10, choices=TaughtBy, default=TaughtBy.REFERENCE, help_text="Whose labels of these studies."
    )
    synthetic = models.JSONField(default=list, help_text="Slugs of studies of which it learned synthetic labels.")
    apart_from = models.JSONField(default=list, help_text="Slugs of studies whose texts are left out.")
    settings = models.JSONField(help_text="Learning rate, epochs, batch size, seed and the rest.")
    labels = models.JSONField(help_text="Canonical values, in the order of the classifier's outputs.")
    train_items = models.PositiveIntegerField()
    train_sha256 = models.CharField(max_length=64)
    held_out_items = models.PositiveIntegerField()
    held_out_sha256 = models.CharField(max_length=64)
    commonest_right = models.PositiveIntegerField(
        null=True, help_text="Held-out items that have the commonest label of the training part."
    )
    left_out = models.JSONField(default=dict, help_text="Items that are in neither part, by reason.")

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    step = models.PositiveIntegerField(default=0)
    steps = models.PositiveIntegerField()
    curves = models.JSONField(default=dict)
    accuracy = models.FloatField(null=True, help_text="Held-out accuracy of the epoch that is kept.")
    loss = models.FloatField(null=True, help_text="Held-out loss of that epoch.")
    epoch = models.PositiveIntegerField(null=True, help_text="The epoch that is kept, from 1.")
    error = models.TextField(blank=True)
    model = models.OneToOneField("scoring.LanguageModel", models.SET_NULL, null=True, related_name="training")

    owners = models.ManyToManyField(
        site.AUTH_USER_MODEL, related_name="trainings", help_text="Who asked for it; the same request is one row."
    )
    for_all = models.BooleanField(
        default=False, help_text="The command line asked for it first: any study may be scored with its model."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = TrainingQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            one_of("state", TrainingState, name="training_state"),
            one_of("taught_by", TaughtBy, name="training_taught_by"),
            models.CheckConstraint(
                condition=~Q(state="finished") | Q(accuracy__isnull=False), name="training_finished_has_accuracy"
            ),
        ]
        indexes = [models.Index(fields=["contest", "state"], name="training_contest")]

    def __str__(self) -> str:
        return f"{self.recipe} from {self.base['key']}, {self.settings_shown}"

    @property
    def studies_shown(self) -> str:
        """`pilot, main`, and whose labels: `pilot (the majority of synthetic labels)`."""
        if self.taught_by == TaughtBy.REFERENCE:
            return ", ".join(self.studies)
        return ", ".join(
            f"{slug} (the majority of {'synthetic ' if slug in self.synthetic else ''}labels)" for slug in self.studies
        )

    def studies_beside(self, hidden: AbstractSet[str]) -> str:
        """The studies it learned from and those it is apart from, for a reader from whom some are `hidden`."""
        if hidden & {*self.studies, *self.apart_from}:
            return "studies in which you have no role"
        apart = f", apart from {', '.join(self.apart_from)}" if self.apart_from else ""
        return f"{self.studies_shown}{apart}"

    @property
    def settings_shown(self) -> str:
        """`5e-05 × 3 epochs × 32, seed 1`, and what else is not as the recipe has it: `, numbers bfloat16`."""
        chosen: dict[str, Any] = self.settings
        epochs = "1 epoch" if chosen["epochs"] == 1 else f"{chosen['epochs']} epochs"
        usual = DEFAULTS[self.recipe].as_json() if self.recipe in DEFAULTS else {}
        others = [name for name in chosen if name not in SAID and chosen[name] != usual.get(name)]
        seed = f"{chosen['learning_rate']:g} × {epochs} × {chosen['batch_size']}, seed {chosen['seed']}"
        return ", ".join([seed, *(f"{name.replace('_', ' ')} {chosen[name]}" for name in others)])

    @property
    def key(self) -> str:
        """The key of its model, when there is one."""
        return f"{self.recipe}-{self.base['key'][:50]}-{self.fingerprint[:10]}"

    @property
    def is_live(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def rank(self) -> tuple[float, float, str]:
        """The better of a contest has the smaller rank: accuracy, then loss; the hash, so that there is always one."""
        assert self.accuracy is not None
        assert self.loss is not None
        return (-self.accuracy, self.loss, self.fingerprint)


class TrainingWorker(Saying):
    """A process that trains, and which waiting trainings it refuses, by number (training/classifier/taking.py)."""

    objects = SayingQuerySet["TrainingWorker"].as_manager()
