"""Problems with items that annotators have reported, the newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from annotation.models import ItemReport, Study
from comparison.frame.names import annotator_name

MOST = 20


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
