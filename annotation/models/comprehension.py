"""One try at a study's comprehension questions. Kept for good."""

from django.db import models


class ComprehensionTry(models.Model):
    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, db_index=False, related_name="comprehension")
    number = models.PositiveSmallIntegerField(help_text="From 1.")
    # With the questions, which may change while a study is open.
    answers = models.JSONField(help_text="Of each question: the question, the right answer, the answer given.")
    passed = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sitting", "number"], name="comprehension_try_once")]

    def __str__(self) -> str:
        return f"{self.number}: {'passed' if self.passed else 'failed'}"
