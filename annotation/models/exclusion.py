"""A rule's verdict on an annotator in one study, with its evidence; and those whose verdict others' labels decide."""

from django.db import models

from annotation.models.constraints import one_of


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def decided(self) -> "ExclusionQuerySet":
        """Those that the policy leaves alone: in force, or lifted by a researcher."""
        return self.filter(lifted_by_policy=False)

    def in_force(self) -> "ExclusionQuerySet":
        """Those that nobody has lifted."""
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
    lifted_at = models.DateTimeField(null=True, blank=True, help_text="When the annotator was let back in.")
    lifted_by_policy = models.BooleanField(
        default=False, help_text="Let back in by what others said later; the policy may exclude them again."
    )

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["study", "annotator"], name="exclusion_once"),
            one_of("rule", ExclusionRule, name="exclusion_rule"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator}: {self.get_rule_display()}"


class Repeater(models.Model):
    """An annotator with a row or a pattern that is longer than the study's policy allows, whatever became of it.

    Few, and found by the items that they labeled: annotation/quality/waiting.py.
    """

    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="repeaters")
    annotator = models.ForeignKey("annotation.Annotator", models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "annotator"], name="repeater_once")]

    def __str__(self) -> str:
        return f"{self.annotator} in {self.study}"
