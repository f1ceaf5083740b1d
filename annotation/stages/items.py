"""The items of a sitting: which, in which order, and their slots; and in which order the options of each stand.

Balanced: the orders of an item are the rotations of one that was drawn for it, so that over as many labels as there are
options each of them stands once at every place. Each label takes the rotation that the fewest have.
"""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext

from annotation.arrival.refusals import CapReached, NothingLeft, NothingMore
from annotation.balancing import draw, unmet, variant_of
from annotation.models import Annotator, Assignment, Item, Sitting, Study
from annotation.models.item import ItemQuerySet
from annotation.studyfile.collection import BALANCED, IN_ORDER

# The option that stands first tells which rotation it is: how often each has been taken, by item.
Taken = dict[int, Counter[str]]


def taken_orders(study: Study, items: Iterable[Item]) -> Taken:
    """The orders of the labels that count or may come to; nothing where the study does not balance them."""
    if study.option_order != BALANCED:
        return {}
    targets = {item.pk: Counter[str]() for item in items if item.kind == Item.Kind.TARGET}
    held = Assignment.objects.filter(
        item__in=targets, state__in=[Assignment.State.RESERVED, Assignment.State.COUNTED]
    ).order_by()
    for item, presentation in held.values_list("item", "presentation"):
        # Of labels that were given elsewhere, the order is not known.
        targets[item].update(presentation["order"][:1])
    return targets


def presentation(study: Study, item: Item, rng: random.Random, taken: Taken) -> dict[str, Any]:
    """What will be shown of the item. Checks and practice take any number of answers, so theirs are drawn."""
    task = study.task
    values, shown = list(task.scale.values), task.present(item.content, rng)
    if not study.option_order:
        return shown
    if study.option_order == IN_ORDER:
        return shown | {"order": values}
    if item.pk in taken:
        return shown | {"order": _rarest_rotation(item, values, taken[item.pk])}
    return shown | {"order": rng.sample(values, len(values))}


def _rarest_rotation(item: Item, values: list[str], taken: Counter[str]) -> list[str]:
    # Drawn from the item's own key, so that the next label of another item begins elsewhere.
    turned = random.Random(str(item.random_key)).sample(values, len(values))
    first = min(range(len(turned)), key=lambda place: taken[turned[place]])
    return turned[first:] + turned[:first]


def offer(study: Study, sitting: Sitting) -> None:
    """Reserve the items of a sitting that stands at them. The study is locked. Raises CapReached, NothingLeft."""
    annotator = sitting.annotator
    targets, sitting.list_number = draw_targets(study, annotator)
    rng, taken = random.Random(sitting.token), taken_orders(study, targets)
    offered = _in_order(study, annotator, targets, rng)
    sitting.practice_items = sum(item.kind == Item.Kind.PRACTICE for item in offered)
    sitting.stage = Sitting.Stage.PRACTICE if sitting.practice_items else Sitting.Stage.ITEMS
    sitting.instructed_at = sitting.active_at = timezone.now()
    sitting.lease_expires_at = sitting.lease_until()
    sitting.save()
    Item.objects.filter(pk__in=[item.pk for item in targets]).update(reserved=F("reserved") + 1)
    Assignment.objects.bulk_create(
        Assignment(
            sitting=sitting,
            annotator=annotator,
            item=item,
            position=position,
            presentation=presentation(study, item, rng, taken),
            variant_of=variant_of(study, item),
        )
        for position, item in enumerate(offered, start=1)
    )
    if study.population == Study.Population.NOBODY:
        study.population = Study.Population.SYNTHETIC if annotator.is_synthetic else Study.Population.PEOPLE
        study.save(update_fields=["population"])


def draw_targets(study: Study, annotator: Annotator) -> tuple[list[Item], int | None]:
    """The items in greatest need, locked, new to the annotator; and their list. Raises CapReached, NothingLeft."""
    open_to_me, wanted = open_targets(study, annotator)
    if study.keeps_variants_apart:
        targets, list_number = draw(study, annotator, open_to_me, wanted=wanted)
    else:
        targets, list_number = list(open_to_me.select_for_update(no_key=True)[:wanted]), None
    if not targets:
        raise nothing_for(study, annotator)
    return targets, list_number


def nothing_for(study: Study, annotator: Annotator | None) -> NothingLeft:
    """Why there is no item for somebody: others hold what they could have, or no more answers are needed of them."""
    wanted = study.items.targets().filter(counted__lt=F("target"))
    if annotator is not None:
        wanted = wanted.exclude(assignments__annotator=annotator)
    if wanted.exists():
        return NothingLeft()
    return NothingMore(took_part=annotator is not None and study.sittings.filter(annotator=annotator).exists())


def open_targets(study: Study, annotator: Annotator | None) -> tuple[ItemQuerySet, int]:
    """What the annotator may be offered, and how much of it; None is a new person. Raises CapReached."""
    offered = Assignment.objects.filter(sitting__study=study, item__kind=Item.Kind.TARGET)
    mine = offered.filter(annotator=annotator) if annotator is not None else offered.none()
    taken = mine.exclude(state=Assignment.State.RELEASED).count()
    if taken >= study.max_items_per_annotator:
        raise CapReached(
            gettext("You have answered all the items that one person may answer in this study. Thank you.")
        )
    found = (
        Item.objects.filter(study=study, kind=Item.Kind.TARGET, need__gt=0)
        .exclude(pk__in=mine.values("item"))
        .order_by("-need", "random_key")
    )
    if annotator is not None and study.keeps_variants_apart:
        found = unmet(study, annotator, found)
    return found, min(study.sitting_length, study.max_items_per_annotator - taken)


def _in_order(study: Study, annotator: Annotator, targets: list[Item], rng: random.Random) -> list[Item]:
    """Practice first; then targets with the checks mixed in at random places."""
    # Named, for the index: all but the targets would be found by reading the targets too.
    beside = [kind for kind in Item.Kind if kind != Item.Kind.TARGET]
    unseen = study.items.filter(kind__in=beside).exclude(assignments__annotator=annotator)
    by_kind: dict[str, list[Item]] = {kind: [] for kind in Item.Kind.values}
    # Not in the order of the query, for which SQLite would read a study's every target.
    for item in sorted(unseen.order_by(), key=lambda one: one.position):
        by_kind[item.kind].append(item)
    mixed = list(targets)
    for kind, wanted in (
        (Item.Kind.GOLD, study.gold_per_sitting),
        (Item.Kind.ATTENTION, study.attention_per_sitting),
    ):
        mixed += rng.sample(by_kind[kind], min(wanted, len(by_kind[kind])))
    rng.shuffle(mixed)
    return by_kind[Item.Kind.PRACTICE] + mixed
