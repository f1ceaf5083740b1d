"""A rule's verdict on an annotator in one study, with its evidence."""

from django.db import models

from annotation.models.constraints import one_of


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def in_force(self) -> "ExclusionQuerySet":
        """Those that no researcher has lifted."""
        return self.filter(lifted_at__isnull=True)


class ExclusionRule(models.TextChoices):
    ATTENTION = "attention", "failed attention checks"
    GOLD = "gold", "far from the gold references"
    QUICK = "quick", "too many answers too quick"
    SITTING = "sitting", "a sitting too quick"
    STRAIGHT = "straight", "the same answer in a row"
    PATTERN = "pattern", "a repeated pattern of answers"
    RESEARCHER = "researcher", "decided by a researcher"


class Exclusion(models.Model):
    Rule = ExclusionRule

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="exclusions")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="exclusions")
    rule = models.CharField(max_length=12, choices=Rule)
    evidence = models.JSONField(help_text="The answers, the count and the limit it was held against.")
    created_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True, help_text="When a researcher let the annotator back in.")

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["study", "annotator"], name="exclusion_once"),
            one_of("rule", ExclusionRule, name="exclusion_rule"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator}: {self.get_rule_display()}"
