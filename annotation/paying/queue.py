"""Which sittings of a study there are to decide on, how their checks were answered, and what can be asked of them."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum

from annotation.models import Assignment, Exclusion, Item, PaymentDecision, Sitting, Study
from annotation.platforms import Outcome
from annotation.quality.rerun import checks_among
from annotation.tasktypes.contract import Scale

UNFINISHED = "unfinished"
OUTCOMES = [UNFINISHED, *(one.value for one in Outcome)]
DECISIONS = Sitting.Payment.values
# What the quality policy, or a researcher in its place, has said of the annotator.
KEPT, EXCLUDED, REINSTATED = "kept", "excluded", "reinstated"
VERDICTS = [KEPT, EXCLUDED, REINSTATED]


@dataclass(frozen=True, slots=True)
class ChecksGiven:
    """One annotator's attention checks; `distances` are how many gold answers lie 0, 1, 2 … degrees off."""

    passed: int = 0
    failed: int = 0
    distances: tuple[int, ...] = ()

    def words(self, gold_distance: int) -> str:
        parts = []
        if asked := self.passed + self.failed:
            parts.append(f"{self.failed} of {asked} attention checks failed")
        if gold := sum(self.distances):
            parts.append(f"{sum(self.distances[gold_distance:])} of {gold} gold answers wrong")
        return ", ".join(parts) or "no checks answered"


def checks_given(scale: Scale, answered: "QuerySet[Assignment]") -> dict[int, ChecksGiven]:
    """By annotator."""
    passed, failed = Counter[int](), Counter[int]()
    gold: dict[int, list[int]] = defaultdict(lambda: [0] * (scale.greatest_distance + 1))
    for annotator, kind, reference, answer, count in checks_among(answered):
        if kind == Item.Kind.GOLD:
            gold[annotator][scale.distance(reference, answer)] += count
        else:
            (passed if reference == answer else failed)[annotator] += count
    return {who: ChecksGiven(passed[who], failed[who], tuple(gold[who])) for who in {*passed, *failed, *gold}}


def with_failures(sittings: "QuerySet[Sitting]", least: int) -> "QuerySet[Sitting]":
    """Those in which at least so many attention checks were failed."""
    checks = Assignment.objects.held_against().filter(sitting__in=sittings.order_by().values("pk"))
    failed = checks.filter(item__kind=Item.Kind.ATTENTION).exclude(judgment__answer=F("item__reference"))
    enough = failed.order_by().values("sitting").annotate(count=Count("pk")).filter(count__gte=least)
    return sittings.filter(pk__in=enough.values("sitting"))


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


def totals(sittings: "QuerySet[Sitting]") -> dict[str, tuple[int, Decimal]]:
    """By decision: how many there are, and their bonuses."""
    newest = PaymentDecision.objects.filter(sitting=OuterRef("pk")).order_by("-pk").values("bonus")[:1]
    rows = sittings.order_by().annotate(own=Subquery(newest)).values_list("payment").annotate(Count("pk"), Sum("own"))
    return {decision: (count, bonuses or Decimal(0)) for decision, count, bonuses in rows}


def answered(sittings: "QuerySet[Sitting]") -> "QuerySet[Sitting]":
    """Those that have given at least one answer, practice apart."""
    return sittings.filter(Exists(Assignment.objects.filter(sitting=OuterRef("pk")).labels()))


def over(sittings: "QuerySet[Sitting]") -> "QuerySet[Sitting]":
    """Those that have ended, or cannot go on: the study has closed on them."""
    return sittings.filter(Q(state=Sitting.State.FINISHED) | Q(study__state=Study.State.CLOSED))


def to_approve(
    study: Study, asked: QueueFilter = ALL, *, without_answers: bool = False, failed_checks: bool = False
) -> "QuerySet[Sitting]":
    """Undecided ones with answers that came to their end; those with failed checks only where they are asked for."""
    ended = queue(study, asked).filter(state=Sitting.State.FINISHED, payment=Sitting.Payment.UNDECIDED)
    if not failed_checks and asked.outcome != Outcome.FAILED_CHECKS:
        ended = ended.exclude(outcome=Outcome.FAILED_CHECKS)
    return ended if without_answers else answered(ended)


def failed_beside(study: Study, asked: QueueFilter) -> "QuerySet[Sitting]":
    """Those of `to_approve` that failed checks and are left out unless they are asked for."""
    if asked.outcome == Outcome.FAILED_CHECKS:
        return Sitting.objects.none()
    return to_approve(study, asked, failed_checks=True).filter(outcome=Outcome.FAILED_CHECKS)
