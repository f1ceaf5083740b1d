"""What somebody said at the stages beside the items: of the consent, of the instructions, of themselves."""

from typing import Any

from django.db import models


class ConsentVersion(models.Model):
    """The text of one version, kept for good: what somebody has agreed to stays as they read it."""

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="consent_versions")
    version = models.CharField(max_length=40)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "version"], name="consent_version_once")]

    def __str__(self) -> str:
        return self.version

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only ever a new row."""
        if not self._state.adding:
            raise TypeError("A text that people agree to is never changed; make another version.")
        super().save(*args, **kwargs)


class Consent(models.Model):
    """What somebody decided."""

    sitting = models.OneToOneField("annotation.Sitting", models.CASCADE, related_name="consent")
    version = models.ForeignKey(ConsentVersion, models.PROTECT, related_name="decisions")
    agreed = models.BooleanField()
    decided_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{'agreed' if self.agreed else 'declined'} ({self.version})"


class ComprehensionTry(models.Model):
    """One try at a study's comprehension questions. Kept for good."""

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


class QuestionnaireAnswers(models.Model):
    """What somebody has answered to a study's questionnaire."""

    sitting = models.OneToOneField("annotation.Sitting", models.CASCADE, related_name="questionnaire")
    answers = models.JSONField(help_text="By the name of the field; those that were left empty are left out.")
    given_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return ", ".join(self.answers)
