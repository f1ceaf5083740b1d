"""A webhook: an address that is told what happens in a study, and every message to it."""

import uuid

from django.db import models
from django.db.models import Q

from annotation.models.constraints import one_of

LONGEST_ADDRESS = 500


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


class DeliveryState(models.TextChoices):
    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"


class Delivery(models.Model):
    """One message. However often it is tried, its id and its body are the same."""

    State = DeliveryState

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=20, help_text="An Event.")
    facts = models.JSONField(default=dict, help_text="What is told besides the study and its counts.")
    happened_at = models.DateTimeField(auto_now_add=True)
    body = models.TextField(blank=True, help_text="As it is sent; written when it is first tried.")
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(auto_now_add=False, help_text="When it is tried next, or was last.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The last answer's.")
    trouble = models.CharField(max_length=200, blank=True, help_text="Why the last attempt came to nothing.")

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
