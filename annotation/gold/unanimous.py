"""The items of a pilot that all of its annotators gave one label, as rows of an item file."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, QuerySet

from annotation.itemfile import LONGEST_ID, ItemRow
from annotation.models import Item, Study
from corpus.provenance import digest

# Two who agree may do so by chance.
LEAST = 3


class NoGold(ValueError):
    """A pilot that nothing can be taken from. str() says why."""


@dataclass(frozen=True, slots=True)
class Gold:
    """`left_out` counts the pilot's other targets, by reason."""

    rows: tuple[ItemRow, ...]
    left_out: Mapping[str, int]


def unanimous(pilot: Study, *, least: int = LEAST) -> Gold:
    """In the order of the pilot's file. Raises NoGold where no item is, or where programs gave the labels."""
    if pilot.people.are_synthetic:
        raise NoGold(f"The labels of {pilot.slug} are synthetic: programs gave them, so they make no gold.")
    targets = pilot.items.filter(kind=Item.Kind.TARGET)
    found = all_alike(pilot, least=least)
    labels = targets.exclude(pk__in=found.values("pk")).values_list("counted", flat=True)
    left_out = Counter(
        f"has fewer than {least} labels" if counted < least else "its labels differ" for counted in labels
    )
    if not found:
        counts = "; ".join(f"{count:,} left out: {reason}" for reason, count in sorted(left_out.items()))
        raise NoGold(f"No item of {pilot.slug} has {least} labels or more that are all the same ({counts}).")
    return Gold(tuple(_row(pilot, item) for item in found.order_by("position")), dict(sorted(left_out.items())))


def all_alike(pilot: Study, *, least: int) -> "QuerySet[Item]":
    """So many labels or more, of which each is the same; `agreed` is how many the majority has."""
    return pilot.items.filter(kind=Item.Kind.TARGET, counted__gte=max(2, least), agreed=F("counted"))


def _row(pilot: Study, item: Item) -> ItemRow:
    """Without its group, which is of targets alone, and without a published number."""
    name = f"{pilot.slug}-{item.external_id}"
    if len(name) > LONGEST_ID:
        name = f"gold-{digest([pilot.slug, item.external_id])[:16]}"
    return ItemRow(name, item.content, Item.Kind.GOLD.value, item.majority)
