"""One item offered in one sitting, and what has become of it; and all of a sitting by their place.

An assignment has one current judgment, the answers that it replaced and those that repeat it; and of labels that were
given elsewhere, the file that they came in.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models.constraints import one_of
from annotation.models.item import Item
from annotation.models.prepared import Prepared

# In the place of an answer: the annotator cannot judge the item. No task type has it, so that no tally ever counts it.
CANNOT_JUDGE = ""


class Answer(models.Model):
    """What came in one submit."""

    answer = models.CharField(max_length=80, blank=True, help_text="Canonical value; empty: cannot judge.")
    # Both by the annotator's clock, and none without JavaScript.
    response_ms = models.PositiveIntegerField(
        null=True, help_text="From first seen to chosen, without the time in which the page was hidden."
    )
    hidden_ms = models.PositiveIntegerField(null=True, help_text="For how long the page was hidden meanwhile.")
    submission = models.CharField(
        max_length=16, default="", db_default="", help_text="By which the same submit is known when it comes again."
    )
    answered_at = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.answer


class Judgment(Answer):
    assignment = models.OneToOneField("annotation.Assignment", models.PROTECT, related_name="judgment")

    class Meta:
        indexes = [models.Index(fields=["answered_at"], name="judgment_answered_at")]


class Revision(Answer):
    """An answer that was changed. Kept for good."""

    judgment = models.ForeignKey(Judgment, models.PROTECT, related_name="revisions")
    replaced_at = models.DateTimeField()

    class Meta:
        ordering = ["replaced_at", "id"]


class RepeatedLabel(models.Model):
    """A label of an annotator on an item after the first: for agreement with oneself only, and as one more check."""

    assignment = models.ForeignKey("annotation.Assignment", models.CASCADE, db_index=False, related_name="repeats")
    turn = models.PositiveSmallIntegerField(help_text="As the file numbers it; higher than the first's.")
    answer = models.CharField(max_length=80, help_text="Canonical value.")
    response_ms = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["assignment", "turn"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "turn"], name="repeated_label_once"),
            models.CheckConstraint(condition=Q(turn__gte=2), name="repeated_label_is_no_first"),
        ]

    def __str__(self) -> str:
        return f"{self.turn}: {self.answer}"


class LabelSource(models.Model):
    """One label file that was imported into a study. Its sittings point here."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="label_sources")
    name = models.CharField(max_length=255, help_text="The file's name.")
    sha256 = models.CharField(max_length=64)
    note = models.CharField(max_length=500, blank=True, help_text="Where the file is from, in the researcher's words.")
    labels = models.PositiveIntegerField()
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["imported_at", "pk"]

    def __str__(self) -> str:
        return self.name


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def held_against(self) -> "AssignmentQuerySet":
        """What somebody is judged by: their labels, and the attention checks that they said cannot be judged.

        Such a check is not passed, for whoever reads it can judge it. Other items may be hard in earnest.
        """
        declined_checks = Q(state=AssignmentState.DECLINED, item__kind=Item.Kind.ATTENTION)
        return self.filter(Q(state__in=Assignment.ANSWERED) | declined_checks)

    def labels(self) -> "AssignmentQuerySet":
        """Those with a label: an answer that stands for something, as one in practice does not."""
        return self.filter(state__in=Assignment.ANSWERED).exclude(item__kind=Item.Kind.PRACTICE)

    def stamp_shown(self) -> None:
        """They are on a page now. The first time stands, so that two tabs opened at once agree on it."""
        self.filter(shown_at=None).update(shown_at=timezone.now())


class AssignmentState(models.TextChoices):
    RESERVED = "reserved", "holds a slot, no answer yet"
    RELEASED = "released", "the lease ran out; the slot is free again"
    COUNTED = "counted", "answered; the label counts"
    SURPLUS = "surplus", "answered after its slot had gone to someone else; kept, not counted"
    EXCLUDED = "excluded", "answered by an excluded annotator; kept, not counted"
    DROPPED = "dropped", "of an item that was dropped, since somebody who labeled it was excluded; kept, not counted"
    DECLINED = "declined", "the annotator cannot judge the item; the slot is free again"


class Assignment(models.Model):
    """One item offered in one sitting. Its lease is the sitting's."""

    State = AssignmentState

    # By a label; and what is behind the annotator, be it without one.
    ANSWERED = (State.COUNTED, State.SURPLUS, State.EXCLUDED, State.DROPPED)
    BEHIND = (*ANSWERED, State.DECLINED)

    # Their indexes are those of the constraints below, which begin with them: two fewer to write for every label.
    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, db_index=False, related_name="assignments")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, db_index=False, related_name="assignments")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="assignments")
    position = models.PositiveSmallIntegerField(help_text="Place in the sitting, from 1.")
    presentation = models.JSONField(help_text="What was shown, and in which order.")
    # Of a study in which nobody sees two: the study and the group of a target; else empty.
    variant_of = models.CharField(max_length=440, blank=True, default="", db_default="")
    state = models.CharField(max_length=10, choices=State, default=State.RESERVED)
    shown_at = models.DateTimeField(null=True, blank=True, help_text="When the page was first served.")

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["annotator", "item"], name="assignment_once_per_annotator"),
            models.UniqueConstraint(fields=["sitting", "position"], name="assignment_position"),
            models.UniqueConstraint(
                fields=["annotator", "variant_of"], condition=~Q(variant_of=""), name="assignment_one_variant"
            ),
            one_of("state", AssignmentState, name="assignment_state"),
        ]
        indexes = [
            # Never many, and counted by item.
            models.Index(fields=["item"], condition=Q(state="declined"), name="assignment_declined"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.item}"

    @property
    def is_answered(self) -> bool:
        """Whether there is a judgment, be it that the item cannot be judged."""
        return self.state in self.BEHIND

    def item_for_update(self) -> Item:
        """The item's row, locked and read afresh; of its columns those that a label changes, or that decide on it."""
        return COUNTING.get(self.item_id)


COUNTING = Prepared(lambda item: Item.objects.select_for_update(no_key=True).only(*Item.COUNTING).filter(pk=item))


@dataclass(frozen=True, slots=True)
class Steps:
    """`states` is by place, in order; `stage` says which places are of the stage that somebody is in."""

    states: dict[int, str]

    def with_state(self, position: int, state: str) -> "Steps":
        return Steps({**self.states, position: state})

    def every(self, state: str) -> list[int]:
        """The places with this state, of any stage."""
        return [position for position, found in self.states.items() if found == state]

    def first(self, state: str) -> int | None:
        """The first place with this state, of any stage."""
        return next(iter(self.every(state)), None)

    def last(self, states: tuple[str, ...], stage: Callable[[int], bool]) -> int | None:
        """The last place of the stage with one of these states."""
        return max(
            (position for position, found in self.states.items() if found in states and stage(position)), default=None
        )

    def count(self, states: tuple[str, ...], stage: Callable[[int], bool]) -> int:
        return sum(found in states and stage(position) for position, found in self.states.items())
