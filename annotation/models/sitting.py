"""One annotator's visit to one study.

What was decided on a sitting's payment: by whom, when, what the annotator is told; what of a bonus was handed in.
"""

from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone

from annotation.models.assignment import Assignment, AssignmentState, Steps
from annotation.models.constraints import NeverChanged, one_of
from annotation.models.item import Item
from annotation.models.link import new_token
from annotation.models.prepared import Prepared
from annotation.platforms import Outcome
from work.clock import database_clock, database_now


class SittingState(models.TextChoices):
    ACTIVE = "active"
    LAPSED = "lapsed"
    FINISHED = "finished"


class SittingPayment(models.TextChoices):
    """A fact of its own: an excluded annotator may well be paid (design, invariant 8)."""

    UNDECIDED = "undecided"
    APPROVED = "approved"
    REJECTED = "rejected"


class Device(models.TextChoices):
    """What a page was read on, as coarse as this: it may bear on the answers, and tells nobody from anybody else."""

    UNKNOWN = "unknown"
    COMPUTER = "computer"
    TABLET = "tablet"
    PHONE = "phone"


class SittingQuerySet(models.QuerySet["Sitting"]):
    def overdue(self) -> "SittingQuerySet":
        """Those that hold items and whose lease has run out: they lapse when the next begins, or by the clock."""
        return self.filter(state=SittingState.ACTIVE, lease_expires_at__lt=database_clock(), stage__in=HOLDING)

    def unanswered(self) -> "SittingQuerySet":
        """Those that hold items and have answered none."""
        return self.filter(state=SittingState.ACTIVE, has_answered=False, stage__in=HOLDING)

    def shares(self, now: datetime) -> dict[str, int]:
        """How many of them hold items, or come to them, by the origin from which they came, where that is known."""
        holds = Q(state=SittingState.ACTIVE, stage__in=HOLDING)
        found = self.filter(holds | is_coming(now)).exclude(origin="").order_by()
        return dict(found.values_list("origin").annotate(places=Count("pk")))

    def with_items_for(self, annotator: int) -> "SittingQuerySet":
        """Those that hold a target which this annotator has not been offered."""
        mine = Assignment.objects.filter(annotator=annotator).values("item")
        held = Assignment.objects.filter(
            sitting=OuterRef("pk"), state=AssignmentState.RESERVED, item__kind=Item.Kind.TARGET
        )
        return self.filter(Exists(held.exclude(item__in=mine)))

    def holding(self, items: "models.QuerySet[Assignment]") -> "SittingQuerySet":
        """Those that hold one of the items of these assignments."""
        held = Assignment.objects.filter(sitting=OuterRef("pk"), state=AssignmentState.RESERVED)
        return self.filter(Exists(held.filter(item__in=items.values("item"))))

    def end(self, outcome: Outcome) -> int:
        """End those that have not ended: the one place where that happens. The caller holds the study's lock.

        An outcome that stands is never changed, whatever is decided later: it is what the annotator was told.
        """
        unfinished = self.exclude(state=SittingState.FINISHED)
        return unfinished.update(state=SittingState.FINISHED, finished_at=timezone.now(), outcome=outcome, origin="")


class SittingStage(models.TextChoices):
    """Where somebody is; information stands on the first page, before there is a sitting."""

    CONSENT = "consent"
    INSTRUCTIONS = "instructions"
    COMPREHENSION = "comprehension"
    PRACTICE = "practice"
    ITEMS = "items"
    QUESTIONNAIRE = "questionnaire"
    DEBRIEFING = "debriefing"
    END = "end"


# Somebody who has not come this far holds no items.
HOLDING = (SittingStage.PRACTICE, SittingStage.ITEMS)
# So long without an answer, and the instructions come again.
AWAY = timedelta(minutes=10)
# So long before the items, and nobody counts on somebody any more.
LEFT = timedelta(minutes=5)
# So long a sitting holds items before its first answer, where starts are limited: an invented id gives none.
FIRST_ANSWER = timedelta(minutes=10)


def takes_place(now: datetime) -> Q:
    """Whether a sitting counts against the limit of its link: it holds items, came a moment ago, or went to the end.

    Not one that came to nothing: lapsed, left before the items, or ended early.
    """
    return has_place() | is_coming(now)


def has_place() -> Q:
    """It holds items, or went to the end."""
    holds = Q(state=SittingState.ACTIVE, stage__in=HOLDING, lease_expires_at__gte=database_clock())
    return holds | Q(state=SittingState.FINISHED, outcome__in=[Outcome.COMPLETED, Outcome.FAILED_CHECKS])


def is_coming(now: datetime) -> Q:
    """It came a moment ago, and stands before the items."""
    return Q(state=SittingState.ACTIVE, started_at__gte=now - LEFT) & ~Q(stage__in=HOLDING)


class Sitting(models.Model):
    State = SittingState
    Stage = SittingStage
    Payment = SittingPayment
    Device = Device
    Outcome = Outcome

    token = models.CharField(max_length=32, unique=True, default=new_token)
    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="sittings")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="sittings")
    # Only of sittings that were held elsewhere.
    source = models.ForeignKey("annotation.LabelSource", models.CASCADE, null=True, blank=True, related_name="sittings")
    # None of sittings that nobody came to by a link: held elsewhere, or synthetic.
    link = models.ForeignKey(
        "annotation.StudyLink", models.SET_NULL, null=True, blank=True, db_index=False, related_name="sittings"
    )
    browser = models.CharField(
        max_length=64, blank=True, help_text="Hash of the cookie of the browser that holds it; empty: the next may."
    )
    device = models.CharField(max_length=10, choices=Device, default=Device.UNKNOWN)
    # Only where the study has lists: all sittings of one annotator are on the same.
    list_number = models.PositiveSmallIntegerField(null=True, blank=True)
    platform_study = models.CharField(max_length=120, blank=True, help_text="The platform's own id of the study.")
    platform_session = models.CharField(max_length=120, blank=True, help_text="The platform's own id of this visit.")
    submits_to = models.CharField(max_length=60, blank=True, help_text="The platform's host that takes its end.")
    origin = models.CharField(
        max_length=32, blank=True, help_text="Keyed hash of the internet address that it began from, until it ends."
    )
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    outcome = models.CharField(
        max_length=15, choices=[("", "not finished"), *((one.value, one.words) for one in Outcome)], blank=True
    )
    stage = models.CharField(max_length=15, choices=Stage, default=Stage.ITEMS)
    practice_items = models.PositiveSmallIntegerField(default=0, help_text="How many stand before the others.")
    explaining = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The place of the practice item whose feedback is in front of them."
    )
    instructed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the instructions were read last; empty: they come before the next item."
    )
    instructions_version = models.CharField(max_length=12)
    completion_code = models.CharField(max_length=20)
    payment = models.CharField(max_length=10, choices=Payment, default=Payment.UNDECIDED)
    started_at = models.DateTimeField(auto_now_add=True)
    lease_expires_at = models.DateTimeField(help_text="Renewed by every answer; afterwards the slots reopen.")
    last_answer_at = models.DateTimeField(null=True, blank=True)
    has_answered = models.BooleanField(default=False, help_text="Whether an item was answered; practice is none.")
    active_at = models.DateTimeField(
        null=True, blank=True, help_text="The last new answer, or the one sign of life that counts after it."
    )
    gave_sign = models.BooleanField(default=False, help_text="Whether that sign of life was given.")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = SittingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "annotator"], condition=~Q(state="finished"), name="sitting_one_unfinished"
            ),
            one_of("state", SittingState, name="sitting_state"),
            models.CheckConstraint(
                condition=Q(outcome__in=["", *(one.value for one in Outcome)]), name="sitting_outcome"
            ),
            models.CheckConstraint(
                condition=(Q(state="finished") & ~Q(outcome="")) | (~Q(state="finished") & Q(outcome="")),
                name="sitting_finished_has_outcome",
            ),
            one_of("stage", SittingStage, name="sitting_stage"),
            one_of("payment", SittingPayment, name="sitting_payment"),
            one_of("device", Device, name="sitting_device"),
            models.CheckConstraint(condition=Q(source=None) | Q(browser="", link=None), name="sitting_elsewhere"),
            models.CheckConstraint(condition=Q(origin="") | ~Q(state="finished"), name="sitting_origin_is_forgotten"),
        ]
        indexes = [
            models.Index(fields=["study", "state", "lease_expires_at"], name="sitting_lease"),
            # What one link has brought.
            models.Index(fields=["link", "started_at"], name="sitting_link"),
            # Those that hold items and have given nothing yet: never many, and counted before each start.
            models.Index(
                fields=["link"],
                condition=Q(state="active", has_answered=False, stage__in=["practice", "items"]),
                name="sitting_unanswered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} in {self.study}"

    def get_absolute_url(self) -> str:
        return reverse("item", args=[self.token])

    @property
    def is_over(self) -> bool:
        return self.state == self.State.FINISHED

    def steps(self) -> Steps:
        """Where each of its items stands; an answer asks several questions of it, and reads it once."""
        return Steps(dict(STATES.rows(self.pk)))

    def current(self) -> Assignment | None:
        """The first item that waits for an answer; None when there is none."""
        return self.assignments.filter(state=Assignment.State.RESERVED).select_related("item").first()

    def upcoming(self, steps: Steps) -> list[Assignment]:
        """The first item that waits for an answer and the one after it, as far as there are any."""
        places = steps.every(Assignment.State.RESERVED)[:2]
        if not places:
            return []
        found = TWO_WITH_ITEMS.rows(self.pk, places[0], places[-1])
        for one in found:
            one.sitting = self
        return found

    def previous(self) -> Assignment | None:
        """The item answered last, which may still be changed; None when the sitting is over."""
        position = self.previous_position(self.steps())
        if position is None:
            return None
        return self.assignments.select_related("item", "judgment").get(position=position)

    def previous_position(self, steps: Steps) -> int | None:
        """The place of the item answered last; None when the sitting is over."""
        return None if self.is_over else steps.last(Assignment.BEHIND, self._is_of_this_stage)

    def progress(self, steps: Steps | None = None) -> tuple[int, int]:
        """(answered, offered), of practice or of the items behind it, by where one is; without lost slots."""
        steps = steps or self.steps()
        answered = steps.count(Assignment.BEHIND, self._is_of_this_stage)
        return answered, answered + steps.count((Assignment.State.RESERVED,), self._is_of_this_stage)

    def has_items_left(self) -> bool:
        """Whether some of it was not answered, also where the slot has gone to somebody else."""
        return self.assignments.exclude(state__in=Assignment.BEHIND).exists()

    def _is_of_this_stage(self, position: int) -> bool:
        """Practice is apart: it counts for nothing, and one does not go back to it."""
        return (position <= self.practice_items) == (self.stage == self.Stage.PRACTICE)

    @property
    def holds_items(self) -> bool:
        """Whether items were given to it: not to those who have stages before them."""
        return self.stage in HOLDING

    def needs_instructions(self, now: datetime) -> bool:
        """Whether they come (again) before the next item: after a time away."""
        if self.instructed_at is None:
            return True
        return now - max(self.instructed_at, self.last_answer_at or self.instructed_at) > AWAY

    @property
    def is_overdue(self) -> bool:
        """Whether it lapses as soon as anybody begins."""
        return self.state == self.State.ACTIVE and self.holds_items and self.lease_expires_at < database_now()

    def is_here(self, now: datetime) -> None:
        """A sign of life: that they are still here, or are back. Between two answers one counts, so that nobody holds
        items for good with it. Saving is the caller's.
        """
        if not self.gave_sign:
            self.active_at, self.gave_sign = now, True

    def has_taken_step(self, now: datetime, *, item: bool) -> None:
        """They have answered what they had not answered before: an item, or one of practice. Saving is the caller's."""
        self.active_at, self.gave_sign = now, False
        self.has_answered |= item

    def lease_until(self) -> datetime:
        """When a lease taken or renewed now runs out, by the clock that all machines share: another judges it."""
        lease = self.study.lease
        is_limited = self.link_id is not None and self.study.max_unanswered > 0
        return database_now() + (min(lease, FIRST_ANSWER) if is_limited and not self.has_answered else lease)

    @property
    def lease_seconds(self) -> int:
        """For how long its items are still held; 0 when they may go to others."""
        return max(0, int((self.lease_expires_at - database_now()).total_seconds()))


# What every answer asks.
STATES = Prepared(
    lambda sitting: Assignment.objects.filter(sitting=sitting).order_by("position").values_list("position", "state")
)
TWO_WITH_ITEMS = Prepared(
    lambda sitting, one, other: (
        Assignment.objects.select_related("item")
        .filter(sitting=sitting, position__in=[one, other])
        .order_by("position")
    )
)


class PaymentDecision(NeverChanged):
    """The whole of what holds from then on; the latest one counts, and Sitting.payment says the same."""

    REFUSED = "A decision on payment is never changed; make another."

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, related_name="decisions")
    payment = models.CharField(max_length=10, choices=SittingPayment)
    reason = models.CharField(max_length=40, blank=True, help_text="Of a rejection, as the platform calls it.")
    message = models.TextField(blank=True, help_text="Of a rejection: what the annotator is told.")
    bonus = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal(0))
    bonus_reason = models.CharField(max_length=300, blank=True)
    # None: by command.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            one_of("payment", SittingPayment, name="payment_decision_payment"),
            models.CheckConstraint(condition=Q(bonus__gte=0), name="payment_decision_bonus"),
            models.CheckConstraint(condition=~Q(payment="rejected") | Q(bonus=0), name="payment_decision_no_bonus"),
            models.CheckConstraint(
                condition=Q(payment="rejected") | Q(reason="", message=""), name="payment_decision_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.get_payment_display()


class BonusHandedIn(NeverChanged):
    """What of a bonus one list for the platform had. Below zero: what was listed was not handed in after all."""

    REFUSED = "What was handed in is never changed."

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, related_name="bonuses_handed_in")
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    # None: by command.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "bonuses handed in"

    def __str__(self) -> str:
        return f"{self.amount}"
