"""How annotators' answers to checks lie to the references: counted in the database, however many there are."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count, F, QuerySet

from annotation.models import Assignment, Item, Sitting
from annotation.tasktypes.contract import Scale

CHECKS = (Item.Kind.GOLD, Item.Kind.ATTENTION)


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
            parts.append(f"{sum(self.distances[gold_distance:])} of {gold} gold answers far off")
        return ", ".join(parts) or "no checks answered"


def checks_given(scale: Scale, answered: "QuerySet[Assignment]") -> dict[int, ChecksGiven]:
    """By annotator."""
    rows = (
        answered.filter(item__kind__in=CHECKS)
        .values_list("annotator", "item__kind", "item__reference", "judgment__answer")
        .annotate(count=Count("pk"))
    )
    passed, failed = Counter[int](), Counter[int]()
    gold: dict[int, list[int]] = defaultdict(lambda: [0] * (scale.greatest_distance + 1))
    for annotator, kind, reference, answer, count in rows.order_by():
        assert reference is not None  # the database holds checks to it
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
