"""Quality control as the study declares it: evidence, verdict, and what a verdict does to labels.

The two rules are ADEPT's (Emami et al. 2021, section 4.1): an annotator is out after failing an attention
check, or when more than a tenth of their gold answers lie two or more degrees from the reference. Both
limits are the study's policy. Excluded labels stay stored, stop counting, and their slots reopen.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Annotator, Assignment, Exclusion, Item, Study
from annotation.models.exclusion import ExclusionRule
from annotation.platforms.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Check:
    """One answered check: what was right, what was answered, how far apart (degrees)."""

    item: str
    expected: str
    answered: str
    distance: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """An annotator's answered checks in one study, beside the limits they are held against."""

    attention: tuple[Check, ...]
    gold: tuple[Check, ...]
    max_attention_failures: int
    gold_tolerance: float
    gold_distance: int

    @property
    def attention_failures(self) -> int:
        return sum(check.distance > 0 for check in self.attention)

    @property
    def gold_far(self) -> int:
        return sum(check.distance >= self.gold_distance for check in self.gold)

    @property
    def broken_rule(self) -> ExclusionRule | None:
        """The first rule that the answers break, if any."""
        if self.attention_failures > self.max_attention_failures:
            return Exclusion.Rule.ATTENTION
        if self.gold and self.gold_far / len(self.gold) > self.gold_tolerance:
            return Exclusion.Rule.GOLD
        return None

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"attention_failures": self.attention_failures, "gold_far": self.gold_far}


def evidence(study: Study, annotator: Annotator) -> Evidence:
    """What is known of the annotator's checks in the study."""
    return evidence_with(study, annotator, ())


def evidence_with(study: Study, annotator: Annotator | None, given: Iterable[tuple[Item, str]]) -> Evidence:
    """The same with answers to checks that are not stored yet; None is an annotator of whom nothing is."""
    scale = study.task.scale
    checks: dict[str, list[Check]] = {Item.Kind.GOLD: [], Item.Kind.ATTENTION: []}
    for item, answer in [*_stored_checks(study, annotator), *given]:
        assert item.reference is not None  # the database holds checks to it
        distance = scale.distance(item.reference, answer)
        checks[item.kind].append(Check(item.external_id, item.reference, answer, distance))
    return Evidence(
        attention=tuple(checks[Item.Kind.ATTENTION]),
        gold=tuple(checks[Item.Kind.GOLD]),
        max_attention_failures=study.max_attention_failures,
        gold_tolerance=study.gold_tolerance,
        gold_distance=study.gold_distance,
    )


def _stored_checks(study: Study, annotator: Annotator | None) -> list[tuple[Item, str]]:
    """The annotator's answers to checks of the study, in the order in which they were given."""
    if annotator is None:
        return []
    answered = Assignment.objects.filter(
        sitting__study=study,
        annotator=annotator,
        state__in=Assignment.ANSWERED,
        item__kind__in=[Item.Kind.GOLD, Item.Kind.ATTENTION],
    ).select_related("item", "judgment")
    return [(one.item, one.judgment.answer) for one in answered.order_by("sitting", "position")]


def apply_policy(study: Study, annotator: Annotator) -> Exclusion | None:
    """Exclude the annotator if the checks answered so far break a rule; None if they do not.

    A verdict that a researcher has lifted is not passed again.
    """
    if study.exclusions.filter(annotator=annotator).exists():
        return None
    found = evidence(study, annotator)
    if found.broken_rule is None:
        return None
    return exclude(study, annotator, rule=found.broken_rule, evidence=found.as_json())


def exclude(study: Study, annotator: Annotator, *, rule: str, evidence: dict[str, Any]) -> Exclusion:
    """Stop counting the annotator's labels in the study, end their sitting, and reopen the slots.

    A sitting under way ends as one that failed its checks, also where a researcher decided in the policy's place. One
    that had ended keeps its outcome: whoever was given a code for it keeps that too.
    """
    with transaction.atomic():
        _lock(study, annotator)
        exclusion, _ = Exclusion.objects.update_or_create(
            study=study, annotator=annotator, defaults={"rule": rule, "evidence": evidence, "lifted_at": None}
        )
        mine = Assignment.objects.filter(sitting__study=study, annotator=annotator)
        give_back(mine.filter(state=Assignment.State.RESERVED))
        for assignment in mine.filter(state=Assignment.State.COUNTED).select_related("judgment"):
            assignment.item_for_update().discount(assignment.judgment.answer)
            assignment.state = Assignment.State.EXCLUDED
            assignment.save(update_fields=["state"])
        study.sittings.filter(annotator=annotator).end(Outcome.FAILED_CHECKS)
    return exclusion


def reinstate(exclusion: Exclusion) -> None:
    """Let an excluded annotator's labels count again, each where its item still has room."""
    with transaction.atomic():
        _lock(exclusion.study, exclusion.annotator)
        mine = Assignment.objects.filter(
            sitting__study=exclusion.study, annotator=exclusion.annotator, state=Assignment.State.EXCLUDED
        )
        for assignment in mine.select_related("judgment"):
            item = assignment.item_for_update()
            assignment.state = Assignment.State.SURPLUS
            if item.has_room:
                item.count(assignment.judgment.answer)
                assignment.state = Assignment.State.COUNTED
            assignment.save(update_fields=["state"])
        exclusion.lifted_at = timezone.now()
        exclusion.save(update_fields=["lifted_at"])


def give_back(reserved: QuerySet[Assignment]) -> None:
    """Reopen the slots of assignments that wait for an answer. The caller holds the study's lock."""
    for assignment in reserved.order_by("pk"):
        item = assignment.item_for_update()
        item.release_slot()
        assignment.state = Assignment.State.RELEASED
        assignment.save(update_fields=["state"])


def _lock(study: Study, annotator: Annotator) -> None:
    """Study first, then the annotator's sittings: the order that annotation.assignment explains."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    list(study.sittings.select_for_update(no_key=True).filter(annotator=annotator).order_by("pk"))
