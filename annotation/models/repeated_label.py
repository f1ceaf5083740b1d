"""Labels that an annotator gave an item after the first, elsewhere: for agreement with oneself, and nothing else."""

from django.db import models
from django.db.models import Q


class RepeatedLabel(models.Model):
    """It counts nowhere: the label of its assignment, the first, is the annotator's one label on the item."""

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
