"""What a study's collection has yielded so far, of all target items whatever the filters."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.db.models import Count, Q
from pydantic import TypeAdapter

from annotation.models import Assignment, Item
from comparison.figures.figure import Figure
from comparison.figures.file import Row
from comparison.frame.selected import Selected
from comparison.frame.status import SET_ASIDE, none_valid


@dataclass(frozen=True, slots=True)
class Yield:
    """Counts over target items; labels that do not count are kept and counted apart."""

    items: int
    complete: int
    dropped: int
    labels_wanted: int
    labels: int
    labels_excluded: int
    labels_surplus: int
    labels_dropped: int
    annotators: int
    annotators_excluded: int

    @property
    def percent(self) -> int:
        """How much of what is wanted is there; 100 only where all is."""
        return 100 * self.labels // self.labels_wanted if self.labels_wanted else 0

    @property
    def none_valid(self) -> str:
        """Why no label counts, in words; empty where one does, or where there is none."""
        if self.labels:
            return ""
        return none_valid(
            excluded=self.labels_excluded,
            surplus=self.labels_surplus,
            dropped=self.labels_dropped,
            annotators=self.annotators_excluded,
        )

    def counts(self) -> list[tuple[str, int]]:
        return list(asdict(self).items())


def _compute(chosen: Selected) -> Yield:
    study, gathered = chosen.study, chosen.gathered
    aside = Assignment.objects.filter(item__study=study, item__kind=Item.Kind.TARGET).aggregate(
        **SET_ASIDE,
        annotators=Count("annotator", distinct=True, filter=Q(state__in=Assignment.ANSWERED)),
    )
    return Yield(
        items=gathered.items,
        complete=gathered.complete,
        dropped=gathered.dropped,
        labels_wanted=gathered.labels if study.as_imported else gathered.wanted,
        labels=gathered.labels,
        labels_excluded=aside["excluded"],
        labels_surplus=aside["surplus"],
        labels_dropped=aside["dropped"],
        annotators=aside["annotators"],
        annotators_excluded=gathered.excluded,
    )


def _lines(chosen: Selected) -> Iterator[Row]:
    for name, count in asdict(YIELD.read(chosen)).items():
        yield ["yield", "people", "", "", name, None, None, None, None, "", count, "", ""]


YIELD = Figure(
    key="yield",
    part="people",
    title="Labels collected",
    shape=TypeAdapter(Yield),
    compute=_compute,
    is_whole=True,
    lines=_lines,
)
