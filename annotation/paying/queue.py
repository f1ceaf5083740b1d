"""Which sittings of a study there are to decide on, and what can be asked of them."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Assignment, Exclusion, Sitting, Study
from annotation.platforms.contract import Outcome

UNFINISHED = "unfinished"
OUTCOMES = [UNFINISHED, *(one.value for one in Outcome)]
DECISIONS = Sitting.Payment.values
# What the quality policy, or a researcher in its place, has said of the annotator.
KEPT, EXCLUDED, REINSTATED = "kept", "excluded", "reinstated"
VERDICTS = [KEPT, EXCLUDED, REINSTATED]


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Empty is any."""

    outcome: str = ""
    decision: str = ""
    verdict: str = ""


ALL = QueueFilter()


def handed_over(asked: QueueFilter) -> str:
    """The decision of which ids are handed over: rejections where these are asked for, else approvals."""
    rejected = Sitting.Payment.REJECTED
    return rejected if asked.decision == rejected else Sitting.Payment.APPROVED


def queue(study: Study, asked: QueueFilter = ALL) -> "QuerySet[Sitting]":
    """The newest first. Those that were held elsewhere are paid elsewhere; programs are not paid at all."""
    if study.people.are_synthetic:
        return Sitting.objects.none()
    sittings = study.sittings.filter(source=None)
    if asked.outcome:
        sittings = sittings.filter(outcome="" if asked.outcome == UNFINISHED else asked.outcome)
    if asked.decision:
        sittings = sittings.filter(payment=asked.decision)
    if asked.verdict:
        verdicts = Exclusion.objects.filter(study=study, annotator=OuterRef("annotator"))
        said = {
            KEPT: ~Exists(verdicts),
            EXCLUDED: Exists(verdicts.filter(lifted_at=None)),
            REINSTATED: Exists(verdicts.exclude(lifted_at=None)),
        }
        sittings = sittings.filter(said[asked.verdict])
    return sittings.order_by("-started_at", "-pk")


def answered(sittings: "QuerySet[Sitting]") -> "QuerySet[Sitting]":
    """Those that have given at least one answer, practice apart."""
    return sittings.filter(Exists(Assignment.objects.filter(sitting=OuterRef("pk")).labels()))


def over(sittings: "QuerySet[Sitting]") -> "QuerySet[Sitting]":
    """Those that have ended, or cannot go on: the study has closed on them."""
    return sittings.filter(Q(state=Sitting.State.FINISHED) | Q(study__state=Study.State.CLOSED))


def to_approve(
    study: Study, asked: QueueFilter = ALL, *, without_answers: bool = False, failed_checks: bool = False
) -> "QuerySet[Sitting]":
    """Undecided ones that have come to their end, and with answers: a code alone is not enough.

    Failed checks are left out unless they are asked for, be it by a filter.
    """
    ended = queue(study, asked).filter(state=Sitting.State.FINISHED, payment=Sitting.Payment.UNDECIDED)
    if not failed_checks and asked.outcome != Outcome.FAILED_CHECKS:
        ended = ended.exclude(outcome=Outcome.FAILED_CHECKS)
    return ended if without_answers else answered(ended)
