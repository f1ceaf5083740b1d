"""What annotators say of items beside their labels: that they cannot judge one, and what they report of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from annotation.models import Assignment, Exclusion, Item, ItemReport, Study
from comparison.frame.names import annotator_name

MOST = 20

# That one person cannot judge an item says little of it.
SEVERAL = 2
MOST_ITEMS = 20


@dataclass(frozen=True, slots=True)
class DeclinedItem:
    item: Item
    text: str
    annotators: int


@dataclass(frozen=True, slots=True)
class Declined:
    """`often`: the items that several could not judge, the most often declined first, MOST_ITEMS of them."""

    times: int = 0
    annotators: int = 0
    items: int = 0
    often: tuple[DeclinedItem, ...] = ()


def read_declined(study: Study) -> Declined | None:
    """Of included annotators, on all items but practice, by an index of these answers alone; None where never asked."""
    excluded = Exclusion.objects.in_force().filter(study=study).values("annotator")
    declined = Assignment.objects.filter(state=Assignment.State.DECLINED, item__study=study).order_by()
    declined = declined.exclude(item__kind=Item.Kind.PRACTICE).exclude(annotator__in=excluded)
    sums = declined.aggregate(
        times=Count("pk"), annotators=Count("annotator", distinct=True), items=Count("item", distinct=True)
    )
    if not sums["times"]:
        return Declined() if study.cannot_judge else None
    counts = declined.values_list("item").annotate(count=Count("pk")).filter(count__gte=SEVERAL)
    often = list(counts.order_by("-count", "item")[:MOST_ITEMS])
    items = study.items.in_bulk([pk for pk, _ in often])
    text = study.task.text
    return Declined(**sums, often=tuple(DeclinedItem(items[pk], text(items[pk].content), count) for pk, count in often))


@dataclass(frozen=True, slots=True)
class ReportLine:
    item: str
    text: str
    annotator: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Reports:
    """How many there are, of how many items, and the newest MOST of them."""

    count: int
    items: int
    newest: Sequence[ReportLine]


def read_reports(study: Study, *, anonymous: bool = False) -> Reports | None:
    """None where the study takes none and there are none. `anonymous`: how many, without what anybody wrote."""
    of_study = ItemReport.objects.filter(item__study=study)
    sums = of_study.order_by().aggregate(count=Count("pk"), items=Count("item", distinct=True))
    if not sums["count"]:
        return Reports(0, 0, ()) if study.report_problem else None
    newest = [
        ReportLine(one.item.external_id, one.text, annotator_name(one.sitting.annotator_id), one.at)
        for one in of_study.select_related("item", "sitting")[: 0 if anonymous else MOST]
    ]
    return Reports(sums["count"], sums["items"], newest)
