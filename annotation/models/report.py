"""What an annotator says is wrong with an item. It is no answer to it."""

from django.db import models
from django.db.models import Q

# Characters; a line break is one.
LONGEST = 500


class ItemReport(models.Model):
    """Their own words: with the sitting's other words, erased with whoever wrote them (annotation/privacy/)."""

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, db_index=False, related_name="reports")
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="reports")
    text = models.CharField(max_length=LONGEST)
    at = models.DateTimeField(auto_now=True, help_text="When it was written, or changed last.")

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "item"], name="report_once"),
            models.CheckConstraint(condition=~Q(text=""), name="report_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.text[:40]}"
