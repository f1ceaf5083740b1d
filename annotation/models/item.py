"""What is judged, and the count of labels it still needs.

An item's rewordings, decisions of researchers and reports of annotators stand beside it.
"""

from collections.abc import Callable, Iterable, Mapping

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, Max, Min, OuterRef, Q

from annotation.models.constraints import NeverChanged, one_of

# Characters of a report; a line break is one.
LONGEST_REPORT = 500

# A label that only one person gave is no agreement.
AGREEING = 2


def agreed_in(tally: Mapping[str, int]) -> int:
    """How many labels the majority has: the most frequent, if two gave it and no other is as frequent; else 0.

    The rule of comparison/statistics/aggregation.py, which reads many items at once.
    """
    first, second = sorted([*tally.values(), 0, 0], reverse=True)[:2]
    return first if first >= AGREEING and first > second else 0


def majority_in(tally: Mapping[str, int]) -> str | None:
    """The value that they are of; None where there is no majority."""
    agreed = agreed_in(tally)
    return next((value for value, count in tally.items() if count == agreed), None) if agreed else None


class ItemQuerySet(models.QuerySet["Item"]):
    def targets(self) -> "ItemQuerySet":
        return self.filter(kind="target")

    def dropped(self) -> "ItemQuerySet":
        """The targets that were given up: see `Item.is_dropped`. Where no more is wanted, some were never labeled."""
        return self.targets().filter(target=0).exclude(assignments=None)

    def want_no_more(self) -> None:
        """Their quotas are the labels that they have, and those that are being given."""
        self.exclude(target=F("counted") + F("reserved")).update(target=F("counted") + F("reserved"))

    def complete(self) -> "ItemQuerySet":
        """The targets with all their labels, of which there are several: those that may be adjudicated."""
        return self.filter(kind="target", counted=F("target"), counted__gte=AGREEING)

    def up_to(self, most: int) -> int:
        """How many they are, counted no further than that: what a batch holds, however large the study is."""
        return self.order_by()[:most].count()

    def last_place(self) -> int:
        """The greatest position; 0 where there are none. By kind, as the index is that finds it."""
        return max(self._by_kind(lambda items: items.aggregate(found=Max("position"))["found"]), default=0)

    def place_before(self, place: int) -> int | None:
        """The position of the one that stands before it."""
        near = self.filter(position__lt=place)
        return max(near._by_kind(lambda items: items.aggregate(found=Max("position"))["found"]), default=None)

    def place_behind(self, place: int) -> int | None:
        near = self.filter(position__gt=place)
        return min(near._by_kind(lambda items: items.aggregate(found=Min("position"))["found"]), default=None)

    def at(self, places: Iterable[int]) -> "ItemQuerySet":
        """Those that stand at these places."""
        return self.filter(kind__in=ItemKind.values, position__in=list(places))

    def _by_kind(self, asked: Callable[["ItemQuerySet"], int | None]) -> list[int]:
        found = (asked(self.filter(kind=kind)) for kind in ItemKind.values)
        return [place for place in found if place is not None]

    def to_revise(self) -> "ItemQuerySet":
        """The flagged items whose words nobody has revised, or found to be right as they are."""
        decisions = ItemRevision.objects.filter(
            study=OuterRef("study"), external_id=OuterRef("external_id"), after=OuterRef("content")
        )
        return self.filter(~Q(revise=""), ~Exists(decisions))


class ItemKind(models.TextChoices):
    TARGET = "target"
    GOLD = "gold"
    ATTENTION = "attention"
    PRACTICE = "practice"


class Item(models.Model):
    Kind = ItemKind

    # Its index is `item_place`, which begins with it.
    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="items")
    external_id = models.CharField(max_length=400, help_text="The id in items.jsonl.")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.TARGET)
    content = models.JSONField()
    content_hash = models.CharField(max_length=64)
    reference = models.CharField(max_length=80, null=True, blank=True)
    reference_strength = models.FloatField(
        null=True, blank=True, help_text="A published number, such as a mean rating, that strengths are held against."
    )
    attributes = models.JSONField(default=dict)
    group = models.CharField(max_length=400, blank=True)
    revise = models.TextField(
        blank=True, help_text="Why a person should look at the words; what was decided is an ItemRevision."
    )
    explanation = models.TextField(blank=True, help_text="Of practice: why the reference is right.")
    list_number = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The list that it lies on; empty where it is open to everybody."
    )
    position = models.PositiveIntegerField(
        help_text="Ascends as the lines of items.jsonl do; where one was taken out of a draft, its place stays empty."
    )

    # The bookkeeping of labels. Only targets have a `target`; `need` is what is still to be given out.
    # A target whose `target` is 0 was dropped: it wants no label and counts none.
    target = models.PositiveSmallIntegerField(default=0)
    counted = models.PositiveIntegerField(default=0)
    reserved = models.PositiveIntegerField(default=0)
    need = models.GeneratedField(
        expression=F("target") - F("counted") - F("reserved"),
        output_field=models.IntegerField(),
        db_persist=True,
    )
    random_key = models.FloatField(help_text="Breaks ties between items of equal need; drawn once, when loaded.")
    tally = models.JSONField(default=dict, help_text="Countable labels by value, kept when a label is recorded.")
    agreed = models.PositiveIntegerField(default=0, help_text="How many of them the majority has; 0 where none is.")

    # What says whether a label counts, and changes when it does.
    COUNTING = ("kind", "target", "counted", "reserved", "tally", "agreed")

    objects = ItemQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "external_id"], name="item_unique_in_study"),
            one_of("kind", ItemKind, name="item_kind"),
            # Design, invariant 1: never more countable and reserved labels than the target.
            models.CheckConstraint(
                condition=~Q(kind="target") | Q(target__gte=F("counted") + F("reserved")) | Q(target=0, counted=0),
                name="item_never_overfull",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["target", "practice"]) | Q(reference__isnull=False),
                name="item_check_has_reference",
            ),
        ]
        indexes = [
            # Serves the draw of a sitting: greatest need first, then the stored random key. With the two columns
            # behind them, a study's sums are read off the index too.
            models.Index("study", "kind", F("need").desc(), "random_key", "target", "counted", name="item_draw"),
            # The item before and the one after, and pages in the order of the file: of a kind, and of all.
            models.Index(fields=["study", "kind", "position"], name="item_order"),
            models.Index(fields=["study", "position"], name="item_place"),
            # Those whose words a person is to look at: few.
            models.Index(fields=["study", "position"], condition=~Q(revise=""), name="item_flagged"),
            # Those that a researcher may have to decide, the least agreed first. An item enters it with its last label.
            models.Index(
                fields=["study", "agreed", "position"],
                condition=Q(kind="target", counted=F("target"), counted__gte=AGREEING),
                name="item_adjudication",
            ),
        ]

    def __str__(self) -> str:
        return self.external_id

    @property
    def is_check(self) -> bool:
        return self.kind in (self.Kind.GOLD, self.Kind.ATTENTION)

    @property
    def has_feedback(self) -> bool:
        """Whether something can be said of an answer to it, in practice."""
        return self.reference is not None or bool(self.explanation)

    @property
    def is_dropped(self) -> bool:
        """Whether it is given up, since it lost a label to an excluded annotator. Who holds it may still answer."""
        return self.kind == self.Kind.TARGET and self.target == 0

    def drop(self) -> None:
        """Want no label any more, and count none. The caller has locked this row, and sets its labels aside."""
        self.target = self.counted = self.agreed = 0
        self.tally = {}
        self.save(update_fields=["target", "counted", "tally", "agreed"])

    def take_up(self, *, target: int) -> None:
        """Want labels again. The caller has locked this row."""
        self.target = target
        self.save(update_fields=["target"])

    @property
    def has_room(self) -> bool:
        """Whether one more label may count. Checks and practice items take any number."""
        return self.kind != self.Kind.TARGET or self.counted + self.reserved < self.target

    @property
    def majority(self) -> str | None:
        """The majority of its labels that count, if there is one."""
        return majority_in(self.tally)

    def was_shown(self) -> bool:
        """Whether an annotator has been offered it: its words then stay as they are."""
        return self.assignments.exists()

    def take_slot(self) -> bool:
        """Reserve a slot if one is free. The caller holds the study's lock."""
        locked = Item.objects.select_for_update(no_key=True).get(pk=self.pk)
        if not locked.has_room:
            return False
        if locked.kind == self.Kind.TARGET:
            locked.reserved += 1
            locked.save(update_fields=["reserved"])
        return True

    def release_slot(self) -> None:
        """Give a reserved slot back. The caller has locked this row."""
        if self.kind == self.Kind.TARGET:
            self.reserved -= 1
            self.save(update_fields=["reserved"])

    def take_label(self, answer: str, *, from_slot: bool) -> bool:
        """Count a label if there is room for it, and give back the slot that was reserved for it; whether it counts.

        One write, for every answer makes it. The caller has locked this row.
        """
        if from_slot and self.kind == self.Kind.TARGET:
            self.reserved -= 1
        counts = self.has_room
        if counts:
            self._add(answer)
        self.save(update_fields=["reserved", "counted", "tally", "agreed"])
        return counts

    def count(self, answer: str) -> None:
        """Let a label count. The caller has locked this row and seen that it has room."""
        self._add(answer)
        self.save(update_fields=["counted", "tally", "agreed"])

    def _add(self, answer: str) -> None:
        self.counted += 1
        self.tally[answer] = self.tally.get(answer, 0) + 1
        self.agreed = agreed_in(self.tally)

    def discount(self, answer: str) -> None:
        """Let a label no longer count. The caller has locked this row."""
        self.counted -= 1
        self.tally[answer] -= 1
        if not self.tally[answer]:
            del self.tally[answer]
        self.agreed = agreed_in(self.tally)
        self.save(update_fields=["counted", "tally", "agreed"])


class ItemRevision(NeverChanged):
    """`before` and `after` are contents; they are the same where a researcher found nothing to change.

    The item is named, not pointed at: a new wording is a new row of Item, so that scores of the old one go with it.
    """

    REFUSED = "A revision of an item is never changed; make another."

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="item_revisions")
    external_id = models.CharField(max_length=400, help_text="The item's id in items.jsonl.")
    editor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [models.Index(fields=["study", "external_id", "at"], name="item_revision_of_item")]

    def __str__(self) -> str:
        return f"{self.external_id} by {self.editor}"

    @property
    def has_changed_it(self) -> bool:
        return bool(self.before != self.after)


class Adjudication(models.Model):
    """A researcher's decision on an item whose labels do not agree; it changes no label. One of several stands."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="adjudications")
    item = models.ForeignKey("annotation.Item", models.CASCADE, db_index=False, related_name="adjudications")
    decision = models.CharField(max_length=80, blank=True, help_text="A canonical value; empty: cannot be decided.")
    note = models.CharField(max_length=1000, blank=True)
    tally = models.JSONField(help_text="The labels that counted when it was made.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    stands = models.BooleanField(default=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item"], condition=Q(stands=True), name="adjudication_one_stands")
        ]
        indexes = [
            models.Index(fields=["study", "stands"], name="adjudication_of_study"),
            models.Index(fields=["item"], name="adjudication_of_item"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.decision or 'cannot be decided'}"


class ItemReport(models.Model):
    """What an annotator says is wrong with an item, in their words: erased when they are (annotation/privacy.py)."""

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, db_index=False, related_name="reports")
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="reports")
    text = models.CharField(max_length=LONGEST_REPORT)
    at = models.DateTimeField(auto_now=True, help_text="When it was written, or changed last.")

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "item"], name="report_once"),
            models.CheckConstraint(condition=~Q(text=""), name="report_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.text[:40]}"
