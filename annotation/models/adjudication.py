"""A researcher's decision on an item whose labels do not agree. It changes no label, no majority and no reference."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Adjudication(models.Model):
    """Earlier decisions on the same item are kept; one of them stands."""

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
