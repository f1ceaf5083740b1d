"""The one current answer to an assignment, the answers it replaced and those that repeat it.

Of labels that were given elsewhere, the file that they came in.
"""

from django.db import models
from django.db.models import Q

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


class RepeatedLabel(models.Model):
    """A label that an annotator gave an item after the first, elsewhere: for agreement with oneself.

    It counts nowhere: the label of its assignment, the first, is the annotator's one label on the item."""

    assignment = models.ForeignKey("annotation.Assignment", models.CASCADE, db_index=False, related_name="repeats")
    turn = models.PositiveSmallIntegerField(help_text="As the file numbers it; higher than the first's.")
    answer = models.CharField(max_length=80, help_text="Canonical value.")
    response_ms = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["assignment", "turn"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "turn"], name="repeated_label_once"),
            models.CheckConstraint(condition=Q(turn__gte=2), name="repeated_label_is_no_first"),
        ]

    def __str__(self) -> str:
        return f"{self.turn}: {self.answer}"


class LabelSource(models.Model):
    """One label file that was imported into a study. Its sittings point here."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="label_sources")
    name = models.CharField(max_length=255, help_text="The file's name.")
    sha256 = models.CharField(max_length=64)
    note = models.CharField(max_length=500, blank=True, help_text="Where the file is from, in the researcher's words.")
    labels = models.PositiveIntegerField()
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["imported_at", "pk"]

    def __str__(self) -> str:
        return self.name
