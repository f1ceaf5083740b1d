"""The one current answer to an assignment, and the answers it replaced."""

from django.db import models


class Judgment(models.Model):
    assignment = models.OneToOneField("annotation.Assignment", models.PROTECT, related_name="judgment")
    answer = models.CharField(max_length=80, help_text="Canonical value, never a key or a position.")
    response_ms = models.PositiveIntegerField(null=True, help_text="From shown to chosen, by the annotator's clock.")
    answered_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["answered_at"], name="judgment_answered_at")]

    def __str__(self) -> str:
        return self.answer


class Revision(models.Model):
    """An answer that was changed. Kept for good."""

    judgment = models.ForeignKey(Judgment, models.PROTECT, related_name="revisions")
    answer = models.CharField(max_length=80)
    response_ms = models.PositiveIntegerField(null=True)
    answered_at = models.DateTimeField()
    replaced_at = models.DateTimeField()

    class Meta:
        ordering = ["replaced_at", "id"]

    def __str__(self) -> str:
        return self.answer
