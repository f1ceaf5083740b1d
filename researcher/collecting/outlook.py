"""What the sittings so far say of what is still to be collected: how items came out, and what is needed to fill up."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, F, Q, Sum

from annotation.models import Assignment, Item, Sitting, Study
from comparison.statistics.accuracy.hits import share
from comparison.statistics.aggregation import MAJORITY, NONE, UNANIMOUS, kinds
from comparison.statistics.estimate import Estimate
from comparison.statistics.planning.forecast import Forecast, forecast

NO_ITEM = "no item has all of its labels yet"
NO_SITTING = "no submission with answers has ended"
MOST_PAY = 10_000.0
BATCH = 2_000
KINDS = (("unanimous", UNANIMOUS), ("majority", MAJORITY), ("no agreement", NONE))


@dataclass(frozen=True, slots=True)
class Outlook:
    """`kinds`: how many of the items that have all of their labels are unanimous, by a majority, and split; `yields`:
    their shares.

    `excluded`: of the sittings that ended, those whose annotator is excluded.
    """

    missing: int
    kinds: tuple[int, int, int]
    yields: tuple[tuple[str, Estimate], ...]
    excluded: Estimate
    left: Forecast

    @property
    def lines(self) -> list["OutlookLine"]:
        """What is still needed; one line where none of it is known, none where nothing is missing."""
        left = self.left
        if not self.missing:
            return []
        if left.sittings.value is None:
            return [OutlookLine("Further submissions needed", in_words(left.sittings))]
        return [
            OutlookLine("Further submissions needed", in_words(left.sittings)),
            OutlookLine("Labels they will give", in_words(left.labels)),
            OutlookLine("Hours of annotators’ work", in_words(left.hours, decimals=1)),
            OutlookLine("Days, at the pace so far", in_words(left.days, decimals=1)),
        ]


@dataclass(frozen=True, slots=True)
class OutlookLine:
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Cost:
    """At this pay for a sitting; `fault` says why what was typed is none."""

    pay: str
    estimate: Estimate | None
    fault: str = ""

    @property
    def words(self) -> str:
        return "" if self.estimate is None else in_words(self.estimate, decimals=2)


def in_words(found: Estimate, *, decimals: int = 0) -> str:
    """`34 [27, 45], n = 21 sittings`, or why not."""
    if found.value is None:
        return f"not known: {found.undefined}"
    after = f", n = {found.n:,} {found.unit}"
    if found.low is None or found.high is None:
        return f"{found.value:,.{decimals}f}{after}; no interval: {found.no_interval}"
    return f"{found.value:,.{decimals}f} [{found.low:,.{decimals}f}, {found.high:,.{decimals}f}]{after}"


def read_outlook(study: Study) -> Outlook:
    """Four queries; the last reads the tally of every item that is complete."""
    targets = study.items.filter(kind=Item.Kind.TARGET).order_by()
    missing = targets.aggregate(missing=Sum(F("target") - F("counted")))["missing"] or 0
    out = set(study.exclusions.filter(lifted_at=None).values_list("annotator", flat=True))
    ended = list(
        study.sittings.filter(source=None, state__in=[Sitting.State.FINISHED, Sitting.State.LAPSED])
        .exclude(last_answer_at=None)
        .order_by("pk")
        .values_list("pk", "annotator", "started_at", "last_answer_at")
    )
    sums = _labels(study)
    given, counted = np.array([sums.get(pk, (0, 0)) for pk, *_ in ended], dtype=np.int64).reshape(-1, 2).T
    seconds = np.array([(first.timestamp(), last.timestamp()) for *_, first, last in ended if last]).reshape(-1, 2)
    minutes = (seconds[:, 1] - seconds[:, 0]) / 60
    days = float(seconds[:, 1].max() - seconds[:, 0].min()) / 86_400 if ended else 0.0
    counts = _kinds(study)
    return Outlook(
        missing=missing,
        kinds=counts,
        yields=tuple(
            (words, share(count, sum(counts), reason=NO_ITEM)) for (words, _), count in zip(KINDS, counts, strict=True)
        ),
        excluded=share(sum(who in out for _, who, *_ in ended), len(ended), reason=NO_SITTING),
        left=forecast(given, counted, minutes, missing=missing, days=days),
    )


def read_cost(outlook: Outlook | None, pay: str) -> Cost | None:
    """None where nobody has asked."""
    if not pay or outlook is None:
        return None
    try:
        amount = float(pay)
    except ValueError:
        amount = -1.0
    if not 0 < amount <= MOST_PAY:
        return Cost(pay, None, f"Pay per submission is a number above 0, {MOST_PAY:,.0f} at most.")
    return Cost(pay, outlook.left.cost(amount))


def _labels(study: Study) -> dict[int, tuple[int, int]]:
    """By sitting, labels on targets and how many of them count."""
    rows = (
        Assignment.objects.filter(sitting__study=study, state__in=Assignment.ANSWERED, item__kind=Item.Kind.TARGET)
        .order_by()
        .values_list("sitting")
        .annotate(given=Count("pk"), counted=Count("pk", filter=Q(state=Assignment.State.COUNTED)))
    )
    return {sitting: (given, counted) for sitting, given, counted in rows}


def _kinds(study: Study) -> tuple[int, int, int]:
    """Of the items that have all of their labels. Tallies that are alike, whatever the label, are counted once."""
    complete = study.items.filter(kind=Item.Kind.TARGET, counted__gte=F("target"), counted__gt=0).order_by()
    tallies = complete.values_list("tally", flat=True).iterator(chunk_size=BATCH)
    shapes = Counter(tuple(sorted(tally.values(), reverse=True)) for tally in tallies)
    found: Counter[str] = Counter()
    for shape, items in shapes.items():
        found[str(kinds(np.array([shape], dtype=np.int64))[0])] += items
    unanimous, majority, none = (found[kind] for _, kind in KINDS)
    return unanimous, majority, none
