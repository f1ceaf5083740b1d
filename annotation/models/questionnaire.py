"""What somebody has answered to a study's questionnaire."""

from django.db import models


class QuestionnaireAnswers(models.Model):
    sitting = models.OneToOneField("annotation.Sitting", models.CASCADE, related_name="questionnaire")
    answers = models.JSONField(help_text="By the name of the field; those that were left empty are left out.")
    given_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return ", ".join(self.answers)
