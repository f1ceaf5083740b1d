"""The items without agreement: read off one index, the least agreed first, however large the study is."""

import math
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.models import Adjudication, Item, Study
from annotation.models.item import ItemQuerySet


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """How many items there are to decide, and of how many of them a decision stands."""

    items: int
    decided: int

    @property
    def left(self) -> int:
        return self.items - self.decided


def disputed(study: Study, *, under: float = 0.0) -> ItemQuerySet:
    """Targets with all their labels and no majority; with `under`, also those whose majority has a smaller share."""
    most = math.ceil(round(under * study.labels_per_item, 9))
    return study.items.complete().filter(agreed__lt=max(most, 1)).order_by("agreed", "position")


def undecided(items: ItemQuerySet) -> ItemQuerySet:
    return items.exclude(pk__in=_standing().values("item"))


def adjudicated(items: ItemQuerySet) -> Adjudicated:
    return Adjudicated(items.count(), items.filter(pk__in=_standing().values("item")).count())


def after(items: ItemQuerySet, item: Item) -> ItemQuerySet:
    """Those behind the item in the order of `disputed`."""
    return items.filter(Q(agreed__gt=item.agreed) | Q(agreed=item.agreed, position__gt=item.position))


def before(items: ItemQuerySet, item: Item) -> ItemQuerySet:
    """Those in front of it, the nearest first."""
    found = items.filter(Q(agreed__lt=item.agreed) | Q(agreed=item.agreed, position__lt=item.position))
    return found.order_by("-agreed", "-position")


def _standing() -> QuerySet[Adjudication]:
    return Adjudication.objects.filter(stands=True)
