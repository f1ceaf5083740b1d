"""A study: one experiment, as its study.toml declares it."""

from collections import Counter
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Count, Q

from annotation.languages import LONGEST_TAG
from annotation.models.constraints import one_of
from annotation.models.item import Item
from annotation.models.population import StudyPopulation, Words
from annotation.quality.policy import DROP, QUALITY, RECOLLECT
from annotation.stages.declared import Stages, declared
from annotation.studyfile.tables import COLLECTION, MEASURES, PAGE, TOP
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.provenance import OrderedSum

# What a column holds is what its setting says where the file says nothing.
DEFAULTS = {name: one.default for table in (TOP, COLLECTION, QUALITY, PAGE) for name, one in table.items()}


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


class Advance(models.TextChoices):
    """What moves an annotator's page on to the next item."""

    CHOICE = "choice", "choosing an answer"
    ENTER = "enter", "Enter, or Continue"


class Lists(models.TextChoices):
    NONE = "", "every item is open to everybody"
    LATIN_SQUARE = "latin_square", "variants of one source lie on different lists"


class OptionOrder(models.TextChoices):
    TASK = "", "as the task type has it"
    RANDOM = "random", "drawn for each annotator"
    BALANCED = "balanced", "every option equally often at every place"
    FIXED = "fixed", "the scale's own"


class AfterExclusion(models.TextChoices):
    """What becomes of an item that loses a label because its annotator is excluded."""

    RECOLLECT = RECOLLECT, "its slot is offered to somebody else"
    DROP = DROP, "the item is dropped"


class StudyManager(models.Manager["Study"]):
    """Those that there are: not what is being deleted."""

    def get_queryset(self) -> models.QuerySet["Study"]:
        return super().get_queryset().filter(deleted_at=None)


class Study(models.Model):
    AfterExclusion = AfterExclusion
    State = StudyState
    Advance = Advance
    Lists = Lists
    OptionOrder = OptionOrder
    Measure = Measure
    Population = StudyPopulation

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    task_type = models.CharField(max_length=40)
    task_version = models.CharField(max_length=20)
    task_settings = models.JSONField(default=dict)
    instructions = models.TextField()
    instructions_version = models.CharField(max_length=12, help_text="Hash of the instructions that people read.")

    language = models.CharField(max_length=LONGEST_TAG, default=DEFAULTS["language"], help_text="Of annotators' pages.")
    stimulus_language = models.CharField(max_length=LONGEST_TAG, blank=True, help_text="Empty: that of the pages.")
    text_language = models.CharField(
        max_length=LONGEST_TAG,
        blank=True,
        help_text="Of title, instructions and questions; empty: that of the stimuli.",
    )

    labels_per_item = models.PositiveSmallIntegerField()
    as_imported = models.BooleanField(
        default=DEFAULTS["as_imported"], help_text="No more labels are wanted than were imported."
    )
    sitting_length = models.PositiveSmallIntegerField(help_text="Targets in one sitting.")
    gold_per_sitting = models.PositiveSmallIntegerField(default=DEFAULTS["gold_per_sitting"])
    attention_per_sitting = models.PositiveSmallIntegerField(default=DEFAULTS["attention_per_sitting"])
    max_items_per_annotator = models.PositiveIntegerField()
    lease_minutes = models.PositiveIntegerField()
    id_parameter = models.CharField(max_length=60, help_text="The query parameter that carries a platform's id.")
    platform = models.CharField(max_length=20, blank=True, help_text="Who sends participants; empty: nobody we know.")
    id_pattern = models.CharField(max_length=200, blank=True, help_text="What every id looks like.")
    id_required = models.BooleanField(default=DEFAULTS["id_required"], help_text="Nobody comes without an id.")
    signed_ids = models.BooleanField(default=DEFAULTS["signed_ids"], help_text="Nobody comes without a personal link.")
    study_parameter = models.CharField(max_length=60, default=DEFAULTS["study_parameter"])
    session_parameter = models.CharField(max_length=60, default=DEFAULTS["session_parameter"])
    recovery = models.JSONField(default=list, help_text="By what somebody goes on in another browser.")
    max_starts = models.PositiveIntegerField(
        default=DEFAULTS["max_starts"], help_text="Sittings that begin by one link; 0: any number."
    )
    max_unanswered = models.PositiveIntegerField(
        default=DEFAULTS["max_unanswered"],
        help_text="Sittings of one link that hold items without an answer yet, at once; 0: any number.",
    )
    excludes = models.JSONField(default=list, help_text="Studies whose annotators cannot begin here, by slug.")
    codes = models.JSONField(default=dict, help_text="The platform's code for each outcome.")
    addresses = models.JSONField(default=dict, help_text="Where each outcome leads; what [return] says.")
    redirects = models.BooleanField(default=False, help_text="The last page goes to the platform by itself.")

    lists = models.CharField(max_length=15, choices=Lists, blank=True)
    condition_attribute = models.CharField(
        max_length=200, blank=True, help_text="What tells the variants of a source apart; empty: found out."
    )
    list_attribute = models.CharField(max_length=200, blank=True, help_text="What says the list; empty: it is made.")
    one_per_group = models.BooleanField(
        default=DEFAULTS["one_per_group"], help_text="Nobody sees two items of one group."
    )
    option_order = models.CharField(max_length=10, choices=OptionOrder, blank=True)

    stages = models.JSONField(default=dict, help_text="The stages around the items, as the study file declares them.")
    advance = models.CharField(max_length=10, choices=Advance, default=DEFAULTS["advance"])
    cannot_judge = models.BooleanField(
        default=DEFAULTS["cannot_judge"], help_text="Annotators may say so of an item, and go on."
    )
    report_problem = models.BooleanField(
        default=DEFAULTS["report_problem"], help_text="Annotators may write what is wrong with an item."
    )

    pay = models.CharField(max_length=12, blank=True, help_text="For one sitting; text, since money is decimal.")
    currency = models.CharField(max_length=3, blank=True)
    forget_after_days = models.PositiveSmallIntegerField(
        default=DEFAULTS["forget_after_days"],
        help_text="So long after somebody was here last, the platform's id of theirs is erased; 0: never.",
    )

    max_attention_failures = models.PositiveSmallIntegerField()
    gold_tolerance = models.FloatField(help_text="The share of gold answers that may be far off.")
    gold_distance = models.PositiveSmallIntegerField(help_text="How many degrees from the reference is far off.")
    gold_least = models.PositiveSmallIntegerField(
        default=DEFAULTS["gold_least"], help_text="Gold answers below which nothing is decided."
    )
    item_floor_ms = models.PositiveIntegerField(
        default=DEFAULTS["item_floor_ms"], help_text="A quicker answer is too quick; 0: no such rule."
    )
    quick_tolerance = models.FloatField(
        default=DEFAULTS["quick_tolerance"], help_text="The share of timed answers that may be too quick."
    )
    sitting_floor_ms = models.PositiveIntegerField(
        default=DEFAULTS["sitting_floor_ms"],
        help_text="The least that a sitting's median answer takes; 0: no such rule.",
    )
    timed_least = models.PositiveSmallIntegerField(
        default=DEFAULTS["timed_least"], help_text="Timed answers below which nothing is decided."
    )
    max_same_in_a_row = models.PositiveSmallIntegerField(
        default=DEFAULTS["max_same_in_a_row"], help_text="0: no such rule."
    )
    max_in_pattern = models.PositiveSmallIntegerField(default=DEFAULTS["max_in_pattern"], help_text="0: no such rule.")
    stretch_chance = models.FloatField(
        default=DEFAULTS["stretch_chance"],
        help_text="A stretch that attentive people give as often is held against nobody.",
    )
    after_exclusion = models.CharField(
        max_length=10,
        choices=AfterExclusion,
        default=DEFAULTS["after_exclusion"],
        help_text="What becomes of items that lose a label.",
    )
    policy_hash = models.CharField(
        max_length=64, blank=True, help_text="The sha256 of the quality policy as it was when the study first opened."
    )

    metrics = models.JSONField(default=list)
    nonsubsective = models.JSONField(default=list, help_text="Adjectives that the normative rule calls less likely.")

    prompt = models.JSONField(default=dict, blank=True, help_text="In which words models are asked: [prompt].")

    measure = models.CharField(
        max_length=20, choices=Measure, default=Measure.ACCURACY, help_text="What nearness to people is measured by."
    )
    numbers = models.JSONField(default=list, blank=True, help_text="Attributes that are numbers.")

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
            one_of("measure", Measure, name="study_measure"),
            one_of("advance", Advance, name="study_advance"),
            one_of("lists", Lists, name="study_lists"),
            one_of("after_exclusion", AfterExclusion, name="study_after_exclusion"),
            one_of("option_order", OptionOrder, name="study_option_order"),
            models.CheckConstraint(condition=Q(labels_per_item__gte=1), name="study_labels_per_item"),
            models.CheckConstraint(
                condition=Q(gold_tolerance__gte=0) & Q(gold_tolerance__lte=1), name="study_gold_tolerance"
            ),
            models.CheckConstraint(
                condition=Q(quick_tolerance__gte=0) & Q(quick_tolerance__lte=1), name="study_quick_tolerance"
            ),
            models.CheckConstraint(
                condition=Q(stretch_chance__gte=0) & Q(stretch_chance__lte=1), name="study_stretch_chance"
            ),
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
        return min(self.sitting_length, self.max_items_per_annotator, self.items.targets().count())

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
        return self.one_per_group or self.lists != Lists.NONE

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
