"""Gold items from a pilot: what all of its annotators agreed on becomes what the next study's annotators are held to.

They are added to a study that has not opened, each once, held to what a study file is held to. ADEPT's gold came about
like this (Emami et al. 2021, section 4.1).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, QuerySet

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.drafting.items import DraftRefused, add_items
from annotation.drafting.rows import read_rows
from annotation.itemfile import LONGEST_ID, ItemRow
from annotation.models import Item, Study
from corpus.provenance import digest

# Two who agree may do so by chance.
LEAST = 3

TWICE = "was added before"
ASKED = "its text is already in the study"


class NoGold(ValueError):
    """A pilot that nothing can be taken from. str() says why."""


@dataclass(frozen=True, slots=True)
class Gold:
    """`left_out` counts the pilot's other targets, by reason."""

    rows: tuple[ItemRow, ...]
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GoldFromPilot:
    """`left_out` counts the pilot's other targets, by reason. `mixed_in`: gold items in a sitting, as declared."""

    added: int
    left_out: Mapping[str, int]
    mixed_in: int

    def __str__(self) -> str:
        added = "1 gold item added" if self.added == 1 else f"{self.added:,} gold items added"
        said = [added, *(f"{count:,} left out: {reason}" for reason, count in self.left_out.items())]
        none = " To show them, set “Gold items per batch”." if not self.mixed_in else ""
        return f"{'; '.join(said)}.{none}"


def take_gold(study: Study, pilot: Study, *, least: int = LEAST) -> GoldFromPilot:
    """Add what all annotators of `pilot` agreed on to `study`, behind its items.

    Raises NoGold where that cannot be, and StudyFileError where the study does not say yet what gold needs.
    """
    if study.pk == pilot.pk:
        raise NoGold("A study cannot be its own pilot.")
    if (study.task_type, study.task_settings) != (pilot.task_type, pilot.task_settings):
        raise NoGold(f"{pilot.slug} has another question or other answers than {study.slug}.")
    gold = unanimous(pilot, least=least)
    now = Study.objects.get(pk=study.pk)
    if now.has_opened:
        raise NoGold(f"{study.slug} has opened, so its gold items are locked.")
    fresh, repeated = _fresh(gold.rows, read_rows(now))
    if fresh:
        try:
            with transaction.atomic():
                now = add_items(now, fresh)
                facts = {"gold items": len(fresh), "labels at least": least}
                record(now, Deed.GOLD_TAKEN, facts=facts, for_editors={"pilot": pilot.slug})
        except DraftRefused as refused:
            raise NoGold(str(refused)) from None
    return GoldFromPilot(len(fresh), {**gold.left_out, **dict(sorted(repeated.items()))}, now.gold_per_sitting)


def _fresh(gold: tuple[ItemRow, ...], before: list[ItemRow]) -> tuple[list[ItemRow], Counter[str]]:
    """Those that are new, by id and by text: nobody is asked about one text twice."""
    names = {row.id for row in before}
    texts = {digest(row.content) for row in before}
    fresh: list[ItemRow] = []
    repeated: Counter[str] = Counter()
    for row in gold:
        text = digest(row.content)
        if row.id in names:
            repeated[TWICE] += 1
        elif text in texts:
            repeated[ASKED] += 1
        else:
            fresh.append(row)
            texts.add(text)
    return fresh, repeated


def unanimous(pilot: Study, *, least: int = LEAST) -> Gold:
    """In the order of the pilot's file. Raises NoGold where no item is, or where programs gave the labels."""
    if pilot.people.are_synthetic:
        raise NoGold(f"The labels of {pilot.slug} are synthetic, so they cannot become gold.")
    targets = pilot.items.filter(kind=Item.Kind.TARGET)
    found = all_alike(pilot, least=least)
    labels = targets.exclude(pk__in=found.values("pk")).values_list("counted", flat=True)
    left_out = Counter(
        f"has fewer than {least} labels" if counted < least else "its labels differ" for counted in labels
    )
    if not found:
        counts = "; ".join(f"{count:,} left out: {reason}" for reason, count in sorted(left_out.items()))
        raise NoGold(f"In {pilot.slug}, no item has {least} or more labels that all agree ({counts}).")
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
