"""The user model, ours from the first release on (Django's own cannot be replaced), and what becomes of accounts."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class User(AbstractUser):
    """A researcher, or whoever else logs in. Annotators have no account (annotation.models.Annotator)."""


# Events are kept for so long.
KEPT = timedelta(days=365)


class EventKind(models.TextChoices):
    LOGIN = "login", "Logged in"
    FAILED = "failed", "Wrong password"
    PASSWORD = "password", "Password changed"
    FACTOR_ADDED = "factor_added", "Second factor added"
    FACTOR_REMOVED = "factor_removed", "Second factor removed"
    TOKEN = "token", "API token created"


class AccountEvent(models.Model):
    """Something that concerns who can use an account. Its owner sees it, and superusers see everybody's."""

    Kind = EventKind

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="events")
    kind = models.CharField(max_length=20, choices=EventKind)
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["user", "id"], name="account_event_of_user")]
        constraints = [models.CheckConstraint(condition=models.Q(kind__in=EventKind.values), name="account_event_kind")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"
