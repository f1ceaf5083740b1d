"""Somebody who is asked into a study by e-mail address."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.researchers.membership import ROLES


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def waiting(self, now: datetime) -> "InvitationQuerySet":
        """Those that can still be accepted."""
        return self.filter(accepted_at=None, expires_at__gt=now)


class Invitation(models.Model):
    """Of its link only a hash is kept: whoever reads the database cannot accept it. Withdrawn, it is deleted."""

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
