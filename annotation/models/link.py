"""How people come into a study: the addresses that they are given, and the ids that may not begin.

The first migration names `new_token` by its place here.
"""

import secrets
from datetime import datetime

from django.db import models
from django.urls import reverse


def new_token() -> str:
    """128 random bits, so that an address cannot be guessed."""
    return secrets.token_urlsafe(16)


class StudyLink(models.Model):
    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="links")
    token = models.CharField(max_length=32, unique=True, default=new_token)
    name = models.CharField(max_length=80, blank=True, help_text="Such as: Prolific, first batch.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    starts = models.PositiveIntegerField(default=0, help_text="Sittings begun by it.")
    max_starts = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many may begin by it; empty: as the study says; 0: any number."
    )

    def __str__(self) -> str:
        return self.name or self.token

    def get_absolute_url(self) -> str:
        return reverse("welcome", args=[self.token])

    def has_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


class BarredId(models.Model):
    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="barred_ids")
    key = models.CharField(max_length=64, help_text="HMAC of study and id (annotation/arrival/repeats.py).")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="barred_id_once")]

    def __str__(self) -> str:
        return self.key[:8]
