"""What a study's collection has yielded so far."""

from dataclasses import asdict, dataclass

from django.db.models import Count, Q
from pydantic import TypeAdapter

from annotation.models import Assignment, Item, Study
from comparison.frame.cache.gathered import Gathered
from comparison.frame.selected import Selected

STATE = Assignment.State
# What answered assignments on targets come to, where their labels do not count.
SET_ASIDE = {
    "excluded": Count("pk", filter=Q(state=STATE.EXCLUDED)),
    "surplus": Count("pk", filter=Q(state=STATE.SURPLUS)),
    "dropped": Count("pk", filter=Q(state=STATE.DROPPED)),
}


def none_valid(*, excluded: int, surplus: int, annotators: int, dropped: int = 0) -> str:
    """Of labels of which none counts, how many there are and why: `4 labels, none valid: 1 annotator excluded`."""
    labels = excluded + surplus + dropped
    if not labels:
        return ""
    why = [f"{annotators:,} annotator{'' if annotators == 1 else 's'} excluded"] if excluded else []
    why += [f"{surplus:,} surplus"] if surplus else []
    why += [f"{dropped:,} of dropped items"] if dropped else []
    return f"{labels:,} label{'' if labels == 1 else 's'}, none valid: {', '.join(why)}"


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


def read_yield(chosen: Selected) -> Yield:
    """Of all target items, whatever the filters."""
    return chosen.remembered(YIELD, ["yield"], lambda: _yield(chosen.study, chosen.gathered))


def _yield(study: Study, gathered: Gathered) -> Yield:
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


YIELD = TypeAdapter(Yield)
