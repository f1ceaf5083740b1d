"""Whose verdict hangs on what others say, and what it is by now.

A row or a pattern is judged by what others say of the very same items, and they may come later, or be excluded later.
So whoever has one that is longer than the policy allows is kept (Repeater), and held against the policy again whenever
labels on their items have begun or stopped to count. What is read grows with those labels, not with the study.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.models import Assignment, Exclusion, Item, Repeater, Sitting, Study
from annotation.quality.evidence import Evidence
from annotation.quality.policy import Policy
from annotation.quality.repetition import RULES
from annotation.quality.rerun import rejudge


@dataclass(frozen=True, slots=True)
class Due:
    """A verdict to be passed, with its evidence; or, without one, to be lifted."""

    annotator: int
    evidence: Evidence | None


def sharing(study: Study, annotators: Collection[int], *, ending: int | None) -> set[int]:
    """The repeaters who labeled a target that these labeled too. One query.

    Who is at a sitting is left out: they are judged when it ends. `ending` is somebody whose sitting ends now.
    """
    theirs = Assignment.objects.filter(
        sitting__study=study, annotator__in=annotators, item__kind=Item.Kind.TARGET, state__in=Assignment.ANSWERED
    ).order_by()
    kept = Repeater.objects.filter(study=study, annotator=OuterRef("annotator"))
    at_work = study.sittings.filter(annotator=OuterRef("annotator"), state=Sitting.State.ACTIVE)
    found = Assignment.objects.filter(
        Exists(kept), ~Exists(at_work.exclude(annotator=ending)), item__in=theirs.values("item")
    )
    return set(found.order_by().values_list("annotator", flat=True).distinct())


def everybody(study: Study) -> set[int]:
    """All repeaters who are at no sitting: where labels come by the thousand."""
    at_work = study.sittings.filter(annotator=OuterRef("annotator"), state=Sitting.State.ACTIVE)
    return set(study.repeaters.filter(~Exists(at_work)).values_list("annotator", flat=True))


def next_due(study: Study, policy: Policy, among: Collection[int], *, accused: Collection[int]) -> Due | None:
    """The first verdict that the answers ask for and that does not stand yet; None where there is none.

    The least probable row of the `accused` comes first, whoever came first, since without its labels others may look
    otherwise.
    """
    if not among:
        return None
    broken = rejudge(study, policy, among=among)
    verdicts = {one.annotator_id: one for one in study.exclusions.filter(annotator__in=among)}
    fresh = [who for who in broken if who in accused and (who not in verdicts or verdicts[who].lifted_by_policy)]
    if fresh:
        worst = min(fresh, key=lambda who: (broken[who].chance, who))
        return Due(worst, broken[worst])
    gone = [who for who, one in verdicts.items() if who not in broken and _may_go(one)]
    return Due(min(gone), None) if gone else None


def _may_go(verdict: Exclusion) -> bool:
    """Those of other rules rest on the annotator's own answers, which stay."""
    return verdict.lifted_at is None and verdict.rule in RULES
