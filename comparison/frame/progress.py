"""What a study's collection has yielded so far."""

from dataclasses import asdict, dataclass

from django.db.models import Count, F, Q

from annotation.models import Assignment, Item, Study


@dataclass(frozen=True, slots=True)
class Yield:
    """Counts over target items; labels that do not count are kept and counted apart."""

    items: int
    complete: int
    labels_wanted: int
    labels: int
    labels_excluded: int
    labels_surplus: int
    annotators: int
    annotators_excluded: int

    def counts(self) -> list[tuple[str, int]]:
        return list(asdict(self).items())


def read_yield(study: Study) -> Yield:
    targets = study.items.filter(kind=Item.Kind.TARGET)
    items = targets.aggregate(items=Count("pk"), complete=Count("pk", filter=Q(counted__gte=F("target"))))
    state = Assignment.State
    labels = Assignment.objects.filter(item__study=study, item__kind=Item.Kind.TARGET).aggregate(
        labels=Count("pk", filter=Q(state=state.COUNTED)),
        excluded=Count("pk", filter=Q(state=state.EXCLUDED)),
        surplus=Count("pk", filter=Q(state=state.SURPLUS)),
        annotators=Count("annotator", distinct=True, filter=Q(state__in=Assignment.ANSWERED)),
    )
    return Yield(
        items=items["items"],
        complete=items["complete"],
        labels_wanted=items["items"] * study.labels_per_item,
        labels=labels["labels"],
        labels_excluded=labels["excluded"],
        labels_surplus=labels["surplus"],
        annotators=labels["annotators"],
        annotators_excluded=study.exclusions.count(),
    )
