"""In which order the options of an item stand: as the task type has it, at random, fixed, or balanced.

Balanced: the orders of an item are the rotations of one that was drawn for it, so that over as many labels as there
are options each of them stands once at every place. Each label takes the rotation that the fewest have.
"""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from annotation.models import Assignment, Item, Study

# The option that stands first tells which rotation it is: how often each has been taken, by item.
Taken = dict[int, Counter[str]]


def taken_orders(study: Study, items: Iterable[Item]) -> Taken:
    """The orders of the labels that count or may come to; nothing where the study does not balance them."""
    if study.option_order != Study.OptionOrder.BALANCED:
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
    if study.option_order == Study.OptionOrder.FIXED:
        return shown | {"order": values}
    if item.pk in taken:
        return shown | {"order": _rarest_rotation(item, values, taken[item.pk])}
    return shown | {"order": rng.sample(values, len(values))}


def _rarest_rotation(item: Item, values: list[str], taken: Counter[str]) -> list[str]:
    # Drawn from the item's own key, so that the next label of another item begins elsewhere.
    turned = random.Random(str(item.random_key)).sample(values, len(values))
    first = min(range(len(turned)), key=lambda place: taken[turned[place]])
    return turned[first:] + turned[:first]
