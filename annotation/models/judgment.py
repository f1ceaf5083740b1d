"""The one current answer to an assignment, and the answers it replaced."""

from django.db import models

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
