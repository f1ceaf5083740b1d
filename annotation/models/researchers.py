"""What researchers are and do in a study: roles, invitations, shares, webhooks, and the acts that say what they did."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.access.matrix import Role
from annotation.audit.deeds import Deed
from annotation.models.constraints import one_of
from work.clock import database_clock
from work.leases import Leased, LeasedQuerySet

LONGEST_ADDRESS = 500
LONGEST_NAME = 80
ROLES = [role.value for role in Role]


class Membership(models.Model):
    """What the role allows stands in annotation/access/matrix.py. A study without one is seen by superusers alone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="memberships")
    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=[(role, role) for role in ROLES])

    class Meta:
        # Its index finds the studies of a user.
        constraints = [
            models.UniqueConstraint(fields=["user", "study"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=ROLES), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} as {self.role} of {self.study_id}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def waiting(self, now: datetime) -> "InvitationQuerySet":
        """Those that can still be accepted."""
        return self.filter(accepted_at=None, expires_at__gt=now)


class Invitation(models.Model):
    """Only a hash of its link is kept, so that a copy of the database accepts none. Withdrawn, it is deleted."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="invitations", db_index=False)
    role = models.CharField(max_length=10, choices=[(role, role) for role in ROLES])
    address = models.EmailField()
    key = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        # Its index finds those of a study.
        indexes = [models.Index(fields=["study", "expires_at"], name="invitation_of_study")]
        constraints = [
            models.UniqueConstraint(fields=["study", "address"], condition=Q(accepted_at=None), name="invited_once"),
            models.CheckConstraint(condition=Q(role__in=ROLES), name="invitation_role"),
        ]

    def __str__(self) -> str:
        return f"{self.address} as {self.role} of {self.study_id}"


class Share(models.Model):
    """What it shows is fixed when it is made: the filters of `query`, and files where `gives_files`.

    The link holds a token of which only the hash is kept, so that nobody can read it here, not even its maker.
    """

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="shares")
    name = models.CharField(max_length=LONGEST_NAME, help_text="For whom, or what for.")
    token_hash = models.CharField(max_length=64, unique=True, help_text="sha256 of the token.")
    query = models.TextField(blank=True, help_text="The filters, as the results' address has them.")
    gives_files = models.BooleanField(default=False)
    # None: the account is gone.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True, help_text="When somebody ended it.")

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="share_has_a_name")]

    def __str__(self) -> str:
        return self.name

    def is_open(self, now: datetime) -> bool:
        return self.ended_at is None and (self.expires_at is None or now < self.expires_at)


class Webhook(models.Model):
    """The secret by which its messages are signed follows from `uid` and the installation's key; it is not stored."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="webhooks")
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    address = models.CharField(max_length=LONGEST_ADDRESS)
    events = models.JSONField(default=list, help_text="Of which it is told: Event values.")
    made_at = models.DateTimeField(auto_now_add=True)
    told_complete = models.BooleanField(
        default=False, help_text="That the study is complete was told, and it still is."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "address"], name="webhook_once")]

    def __str__(self) -> str:
        return self.address


class DeliveryQuerySet(LeasedQuerySet["Delivery"]):
    def waiting(self) -> "LeasedQuerySet[Delivery]":
        """Those that are due, the longest first."""
        return super().waiting().filter(next_at__lte=database_clock()).order_by("next_at", "pk")


class DeliveryState(models.TextChoices):
    WAITING = "waiting"
    SENDING = "sending"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"


class Delivery(Leased):
    """One message. However often it is tried, its id and its body are the same. `attempts` are those to send it."""

    State = DeliveryState

    WAITS, HELD, SINCE = State.WAITING, State.SENDING, "happened_at"
    # Upkeep sends what is due: no page has to wait for the queue to take a message.
    QUEUE, NOUN = "", "message"
    NOUNS = "webhook messages"
    LEASE = timedelta(seconds=60)

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=20, help_text="An Event.")
    facts = models.JSONField(default=dict, help_text="What is told besides the study and its counts.")
    happened_at = models.DateTimeField(auto_now_add=True)
    body = models.TextField(blank=True, help_text="As it is sent; written when it is first tried.")
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    next_at = models.DateTimeField(auto_now_add=False, help_text="When it is tried next, or was last.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The last answer's.")
    trouble = models.CharField(max_length=200, blank=True, help_text="Why the last attempt came to nothing.")

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        constraints = [one_of("state", DeliveryState, name="delivery_state")]
        indexes = [
            models.Index(fields=["webhook", "id"], name="delivery_of_webhook"),
            models.Index(fields=["next_at"], condition=Q(state="waiting"), name="delivery_due"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.uid}"


class Act(models.Model):
    """Who did what, on what, when. Written with the deed; the database lets no row be changed or deleted.

    It outlives the study and the user, so that it has their names as text and no foreign key. It holds no platform's
    id and nothing in an annotator's words: whoever sees the study reads it, and erasing a person leaves it alone.
    """

    at = models.DateTimeField(default=timezone.now, editable=False)
    study_pk = models.BigIntegerField(help_text="The key that the study has, or had.")
    slug = models.CharField(max_length=80, help_text="What the study was called in addresses.")
    title = models.CharField(max_length=200)
    deed = models.CharField(max_length=30, help_text="A Deed.")
    subject = models.CharField(max_length=200, blank=True, help_text="On what in the study: an item, a run, a link.")
    facts = models.JSONField(default=dict, help_text="What there is to say of it, by name.")
    for_editors = models.JSONField(default=dict, help_text="The same, for those who may edit: names of other studies.")
    who = models.CharField(max_length=200, blank=True, help_text="The user's name; of a command without, the system's.")
    user_pk = models.BigIntegerField(null=True, help_text="The key that the user has, or had.")
    via = models.CharField(max_length=10, help_text="A Via.")
    system_user = models.CharField(max_length=100, blank=True, help_text="Of a command: who ran it on the machine.")

    class Meta:
        # A page of a study's, also of one deed or one person, is read from the index backwards.
        indexes = [
            models.Index(fields=["study_pk", "id"], name="act_of_study"),
            models.Index(fields=["study_pk", "deed", "id"], name="act_of_deed"),
            models.Index(fields=["study_pk", "who", "id"], name="act_of_user"),
            models.Index(fields=["slug", "id"], name="act_of_slug"),
        ]

    def __str__(self) -> str:
        return f"{self.who or 'by itself'}: {self.words}{f' ({self.subject})' if self.subject else ''}"

    @property
    def words(self) -> str:
        return Deed(self.deed).words
