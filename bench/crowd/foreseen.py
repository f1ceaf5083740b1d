"""The forecast that a researcher reads midway, and what came of it."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Assignment, Item, Sitting, Study
from bench.crowd.study import PAY
from comparison.statistics.estimate import Estimate
from researcher.studies.outlook import Outlook, in_words, read_cost, read_outlook


@dataclass(frozen=True, slots=True)
class Foreseen:
    """`known` are the sittings that there were then."""

    outlook: Outlook
    known: frozenset[int]


@dataclass(frozen=True, slots=True)
class Line:
    """`is_inside`: whether what came lies in the interval; None where there is none."""

    name: str
    forecast: str
    came: float
    is_inside: bool | None


def foresee(study: Study) -> Foreseen:
    return Foreseen(read_outlook(study), frozenset(study.sittings.values_list("pk", flat=True)))


def against_what_came(study: Study, foreseen: Foreseen) -> list[Line]:
    """Counted as the forecast counts: sittings with answers that have ended.

    Hours and days are left out: nobody reads here, and the server's clock would measure the machine.
    """
    ended = study.sittings.filter(state__in=[Sitting.State.FINISHED, Sitting.State.LAPSED])
    further = ended.exclude(last_answer_at=None).exclude(pk__in=foreseen.known)
    sittings, left = further.count(), foreseen.outlook.left
    cost = read_cost(foreseen.outlook, PAY)
    lines = [
        _line("further sittings", left.sittings, sittings),
        _line("labels that they give", left.labels, _labels(further)),
    ]
    if cost is not None and cost.estimate is not None:
        lines.append(_line("cost, GBP", cost.estimate, float(PAY) * sittings, decimals=2))
    return lines


def _labels(sittings: "QuerySet[Sitting]") -> int:
    given = Assignment.objects.filter(sitting__in=sittings, state__in=Assignment.ANSWERED)
    return given.filter(item__kind=Item.Kind.TARGET).count()


def _line(name: str, found: Estimate, came: float, *, decimals: int = 0) -> Line:
    has_ends = found.low is not None and found.high is not None
    inside = found.low <= came <= found.high if has_ends else None  # type: ignore[operator]  # has_ends says so
    return Line(name, in_words(found, decimals=decimals), came, inside)
