"""A study: one experiment, as its study.toml declares it."""

from collections import Counter
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Count, Q

from annotation.models.constraints import one_of
from annotation.models.item import Item
from annotation.models.population import StudyPopulation, Words
from annotation.quality.policy import Policy
from annotation.stages.declared import Stages, declared
from annotation.studyfile.collection import LATIN_SQUARE, Collection
from annotation.studyfile.tables import MEASURES, Page, Results, Scoring, Top
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.provenance import OrderedSum


class StudyState(models.TextChoices):
    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"


class Measure(models.TextChoices):
    """All but accuracy are for scales with an order."""

    ACCURACY = "accuracy", MEASURES["accuracy"]
    QUADRATIC_KAPPA = "quadratic_kappa", MEASURES["quadratic_kappa"]
    DISTANCE = "distance", MEASURES["distance"]
    SPEARMAN = "spearman", MEASURES["spearman"]


class StudyManager(models.Manager["Study"]):
    """Those that there are: not what is being deleted."""

    def get_queryset(self) -> models.QuerySet["Study"]:
        return super().get_queryset().filter(deleted_at=None)


class Study(Top, Collection, Scoring, Results, Page, models.Model):
    """Its settings are read by their names, and stand in `declared`; those of which queries ask have a column."""

    State = StudyState
    Measure = Measure
    Population = StudyPopulation

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    task_type = models.CharField(max_length=40)
    task_version = models.CharField(max_length=20)
    task_settings = models.JSONField(default=dict)
    instructions_version = models.CharField(max_length=12, help_text="Hash of the instructions that people read.")

    declared = models.JSONField(
        default=dict, help_text="Settings by name; what is not there is as its declaration says."
    )
    as_imported = models.BooleanField(default=False, help_text="No more labels are wanted than were imported.")
    platform = models.CharField(max_length=20, blank=True, help_text="Who sends participants; empty: nobody we know.")
    pay = models.CharField(max_length=12, blank=True, help_text="For one sitting; text, since money is decimal.")
    forget_after_days = models.PositiveSmallIntegerField(
        default=0, help_text="So long after somebody was here last, the platform's id of theirs is erased; 0: never."
    )
    codes = models.JSONField(default=dict, help_text="The platform's code for each outcome.")
    addresses = models.JSONField(default=dict, help_text="Where each outcome leads; what [return] says.")
    redirects = models.BooleanField(default=False, help_text="The last page goes to the platform by itself.")
    prompt = models.JSONField(default=dict, blank=True, help_text="In which words models are asked: [prompt].")
    stages = models.JSONField(default=dict, help_text="The stages around the items, as the study file declares them.")

    policy_hash = models.CharField(
        max_length=64, blank=True, help_text="The sha256 of the quality policy as it was when the study first opened."
    )
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    population = models.CharField(max_length=10, choices=Population, default=Population.NOBODY)
    content_hash = models.CharField(max_length=64, help_text="sha256 of content_sum.")
    content_sum = models.CharField(
        max_length=512, blank=True, editable=False, help_text="Of its items in their order: annotation.itemfile.sum_of."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    # The installation's words about the study and not the study's own: its folder says neither, nor does its hash.
    tags = models.JSONField(default=list, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="Since when its rows are being deleted.")

    # A study that is being deleted is found by nobody but those who delete it.
    objects = StudyManager()
    with_deleted = models.Manager["Study"]()

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["title"]
        constraints = [
            one_of("state", StudyState, name="study_state"),
            one_of("population", StudyPopulation, name="study_population"),
            models.CheckConstraint(condition=~Q(state="open") | Q(opened_at__isnull=False), name="study_opened_at"),
            models.CheckConstraint(
                condition=~Q(state="open") | Q(archived_at__isnull=True), name="study_open_is_not_archived"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def content(self) -> OrderedSum:
        """What identifies its items, as they stand and in their order."""
        return OrderedSum.of(self.content_sum)

    def keep_content(self, content: OrderedSum) -> None:
        """The items are others now. The caller has locked this row, and changes them."""
        self.content_sum, self.content_hash = content.text, content.sha256
        self.save(update_fields=["content_sum", "content_hash"])

    @cached_property
    def has_gold(self) -> bool:
        """Whether gold answers can come: mixed into sittings, or in labels from elsewhere."""
        return bool(self.gold_per_sitting) or self.items.filter(kind=Item.Kind.GOLD).exists()

    @cached_property
    def has_attention(self) -> bool:
        """Likewise answers to attention checks."""
        return bool(self.attention_per_sitting) or self.items.filter(kind=Item.Kind.ATTENTION).exists()

    @cached_property
    def items_in_batch(self) -> int:
        """Without checks; no more than there are."""
        most = min(self.sitting_length, self.max_items_per_annotator)
        return self.items.targets().up_to(most)

    @property
    def lease(self) -> timedelta:
        """So long a sitting's items are held without an answer."""
        return timedelta(minutes=self.lease_minutes)

    @property
    def task(self) -> TaskType:
        """The study's task type with its settings."""
        settings: dict[str, Any] = self.task_settings
        return task_type(self.task_type).configured(settings)

    @property
    def policy(self) -> Policy:
        """Its limits of quality."""
        return Policy.of(self.declared)

    @property
    def path(self) -> Stages:
        """The stages around its items."""
        tables: dict[str, Any] = self.stages
        return declared(tables)

    @property
    def stimuli_speak(self) -> str:
        """The language of its items' texts, as a tag."""
        return self.stimulus_language or self.language

    @property
    def texts_speak(self) -> str:
        """The language of all else that its researcher wrote."""
        return self.text_language or self.stimuli_speak

    @property
    def people(self) -> Words:
        """The words for those who label it."""
        return StudyPopulation(self.population).words

    @cached_property
    def says_verbs(self) -> bool:
        """Whether some target says where its verb is, as one metric must know."""
        return bool(self.items.targets().filter(content__has_key="verb_at").exists())

    @property
    def measured_by(self) -> str:
        """Its measure in words."""
        return MEASURES[self.measure]

    @property
    def is_averaged(self) -> bool:
        """Whether runs are compared with the mean of an item's ratings, so that no majority is missing."""
        return self.measure == Measure.SPEARMAN and self.task.scale.ordered

    @property
    def needs_id(self) -> bool:
        """A signature is of an id."""
        return self.id_required or self.signed_ids

    @property
    def keeps_variants_apart(self) -> bool:
        """Whether nobody may see two items of one group."""
        return self.one_per_group or self.lists == LATIN_SQUARE

    @property
    def has_opened(self) -> bool:
        """Once true, the quality policy is fixed."""
        return self.opened_at is not None

    @property
    def has_begun(self) -> bool:
        """Whether anybody has come by a link, and stayed."""
        return self.begun_at is not None

    @property
    def begun_at(self) -> datetime | None:
        """When the first did."""
        return self.sittings.filter(link__isnull=False).order_by("pk").values_list("started_at", flat=True).first()

    @property
    def has_labels(self) -> bool:
        """Whether any target has a reference, or a label that counts."""
        known = Q(reference__isnull=False) | Q(counted__gt=0)
        return self.items.filter(known, kind=Item.Kind.TARGET).exists()

    @property
    def has_one_role(self) -> bool:
        """Whether answers are roles of each item's own options, and one of them is right for all targets."""
        targets = self.items.filter(kind=Item.Kind.TARGET, reference__isnull=False).order_by()
        return self.task.scale.of_roles and len(targets.values_list("reference").distinct()[:2]) == 1

    def label_counts(self) -> tuple[str, Counter[str]]:
        """How often each label is a target's reference; in a study without references, how often people gave it."""
        targets = self.items.filter(kind=Item.Kind.TARGET)
        references = targets.filter(reference__isnull=False).order_by().values_list("reference").annotate(Count("pk"))
        if counts := Counter(dict(references)):
            return "references", counts
        for tally in targets.filter(counted__gt=0).values_list("tally", flat=True).iterator():
            counts.update(tally)
        return "labels", +counts
