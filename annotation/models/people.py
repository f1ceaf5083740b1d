"""The people who answer, what they say at the stages beside the items, and the verdicts on them.

They are known only by an opaque id; a platform's own ids lie apart, only until they are paid.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from django.db import models, transaction
from django.db.models import Exists, Max, Min, OuterRef, Q

from annotation.models.constraints import NeverChanged, one_of
from annotation.models.sitting import Sitting, SittingQuerySet
from annotation.models.study import Study

# Rows whose annotators' names are read at once.
BLOCK = 2_000
Row = TypeVar("Row")


class Annotator(models.Model):
    """A person, or a simulated one; the two are told apart for good by `profile`."""

    # The platform of those whose labels were given elsewhere and came as a file.
    IMPORTED = "imported"

    # Empty for people; else the synthetic profile, a name in annotation/behavior.py.
    profile = models.CharField(max_length=20, blank=True)
    platform = models.CharField(
        max_length=60, help_text="The parameter the id came in, or 'link', 'imported', 'synthetic'."
    )
    external_id = models.CharField(
        max_length=440, help_text="A keyed hash of what they came with; of imported and synthetic ones, their name."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "external_id"], name="annotator_unique"),
            models.CheckConstraint(
                condition=(Q(platform="synthetic") & ~Q(profile="")) | (~Q(platform="synthetic") & Q(profile="")),
                name="annotator_synthetic_has_profile",
            ),
        ]

    def __str__(self) -> str:
        return self.external_id

    @property
    def is_imported(self) -> bool:
        return self.platform == self.IMPORTED

    @property
    def is_synthetic(self) -> bool:
        return self.platform == "synthetic"


class AnnotatorNumberQuerySet(models.QuerySet["AnnotatorNumber"]):
    def give(self, study: int, annotators: Iterable[int]) -> None:
        """A number to each who has none, in this order. The caller holds the study's lock."""
        there = self.filter(study=study)
        wanted = list(dict.fromkeys(annotators))
        known = set(there.filter(annotator__in=wanted).values_list("annotator", flat=True))
        new = [annotator for annotator in wanted if annotator not in known]
        if not new:
            return
        last = there.aggregate(last=Max("number"))["last"] or 0
        self.bulk_create(
            AnnotatorNumber(study_id=study, annotator_id=annotator, number=number)
            for number, annotator in enumerate(new, last + 1)
        )

    def give_all(self) -> None:
        """A number to all who came without getting one: to a server from before there were numbers, while it ran on."""
        without = self.lacking(Sitting.objects.filter(study__deleted_at=None)).order_by()
        for study in sorted(set(without.values_list("study", flat=True))):
            with transaction.atomic():
                Study.objects.select_for_update(no_key=True).filter(pk=study).first()
                came = without.filter(study=study).values_list("annotator").annotate(first=Min("pk"))
                self.give(study, [annotator for annotator, _ in came.order_by("first")])

    def lacking(self, sittings: SittingQuerySet) -> SittingQuerySet:
        """Those of these whose annotator has no number in their study."""
        return sittings.exclude(Exists(self.filter(study=OuterRef("study"), annotator=OuterRef("annotator"))))

    def by_annotator(self, among: Iterable[int] | None = None) -> dict[int, int]:
        """The numbers of a study's annotators, or of those `among` them, by the annotator's row."""
        asked = self if among is None else self.filter(annotator__in=list(among))
        return dict(asked.order_by("number").values_list("annotator", "number"))

    def names(self, among: Iterable[int] | None = None) -> dict[int, str]:
        return {annotator: annotator_name(number) for annotator, number in self.by_annotator(among).items()}

    def beside(self, rows: Iterable[Row], annotator: Callable[[Row], int]) -> Iterator[tuple[str, Row]]:
        """Each row after the name of its annotator. Names are read after their rows, some at a time: of those, too,
        who start while the rows are read.
        """
        rest = iter(rows)
        while block := list(islice(rest, BLOCK)):
            names = self.names({annotator(row) for row in block})
            yield from ((names[annotator(row)], row) for row in block)

    def name_of(self, annotator: int) -> str:
        return annotator_name(self.get(annotator=annotator).number)


class AnnotatorNumber(NeverChanged):
    """What an annotator is called in one study, on every page, in every file and in the API: a1, a2, a3.

    They count those who came, in that order, and say nothing of a platform's id or of other studies. Given once, they
    stay, also when all else about an annotator is erased.
    """

    REFUSED = "An annotator's number is given once."

    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="annotator_numbers")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="numbers")
    number = models.PositiveIntegerField(help_text="From 1.")

    objects = AnnotatorNumberQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "annotator"], name="annotator_number_once"),
            models.UniqueConstraint(fields=["study", "number"], name="annotator_number_of_one"),
        ]

    def __str__(self) -> str:
        return annotator_name(self.number)


def annotator_name(number: int) -> str:
    """How an annotator is called outside the house, by their number in the study."""
    return f"a{number}"


class PlatformId(models.Model):
    """What the platform calls an annotator, of each study that they came to by it another row.

    Erased once they are paid in that study (annotation/privacy.py), whatever becomes of it in others.
    """

    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="platform_ids")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="platform_ids")
    value = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "annotator"], name="platform_id_unique")]

    def __str__(self) -> str:
        # Never the id: rows are named in logs.
        return f"the id of {self.annotator_id} in {self.study_id}"

    @classmethod
    def current(cls, study: int, annotator: int) -> str:
        """The platform's own id as long as it is kept; empty afterwards, and of those who came without one."""
        found: str | None = cls.objects.filter(study=study, annotator=annotator).values_list("value", flat=True).first()
        return found or ""


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def decided(self) -> "ExclusionQuerySet":
        """Those that the policy leaves alone: in force, or lifted by a researcher."""
        return self.filter(lifted_by_policy=False)

    def in_force(self) -> "ExclusionQuerySet":
        """Those that nobody has lifted."""
        return self.filter(lifted_at__isnull=True)


class ExclusionRule(models.TextChoices):
    ATTENTION = "attention", "failed attention checks"
    GOLD = "gold", "too many wrong gold answers"
    QUICK = "quick", "too many fast answers"
    SITTING = "sitting", "a batch answered too fast"
    STRAIGHT = "straight", "same answer too often in a row"
    PATTERN = "pattern", "a repeated pattern of answers"
    RESEARCHER = "researcher", "excluded by a researcher"


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

    Few, and found by the items that they labeled: annotation/quality/exclusion.py.
    """

    study = models.ForeignKey("annotation.Study", models.CASCADE, db_index=False, related_name="repeaters")
    annotator = models.ForeignKey("annotation.Annotator", models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "annotator"], name="repeater_once")]

    def __str__(self) -> str:
        return f"{self.annotator} in {self.study}"


class ConsentVersion(NeverChanged):
    """The text of one version, kept for good: what somebody has agreed to stays as they read it."""

    REFUSED = "A text that people agree to is never changed; make another version."

    study = models.ForeignKey("annotation.Study", models.CASCADE, related_name="consent_versions")
    version = models.CharField(max_length=40)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "version"], name="consent_version_once")]

    def __str__(self) -> str:
        return self.version


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
