"""The first reading of a study's targets: which columns they fill, which items stay together, and what was labeled.

Items come group by group, so that no more than one group is held at a time; of each item a few numbers are kept.
"""

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from django.db.models import QuerySet

from annotation.models import Item, Study
from annotation.models.item import majority_in
from comparison.dataset.columns import Columns, ItemRead, flat, in_order
from comparison.dataset.parting import Parting, Unit, parted
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.resampling.sample import ITEMS, Sample

FIELDS = ("external_id", "content", "reference", "reference_strength", "tally", "group", "attributes")
CHUNK = 2_000
NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Outset:
    """`counts` has a row an item and a column a value, `truth` the code of its reference; `groups` is how many units
    of several items there are.
    """

    columns: Columns
    parting: Parting
    counts: Ints
    truth: Ints
    sample: Sample
    groups: int


def read_outset(study: Study, *, shares: tuple[int, ...], seed: int) -> Outset:
    values = study.task.scale.values
    content: dict[str, None] = {}
    attributes: dict[str, None] = {}
    tallies, truth, clusters, units = array("q"), array("q"), array("q"), list[Unit]()
    has_strength = False
    for number, (name, items) in enumerate(groupby(read_items(targets(study).order_by("group", "position")), unit_of)):
        strata: Counter[str] = Counter()
        for item in items:
            content |= dict.fromkeys(flat(item.content))
            attributes |= dict.fromkeys(item.attributes)
            has_strength |= item.strength is not None
            tallies.extend(item.tally.get(value, 0) for value in values)
            truth.append(MISSING if item.reference is None else values.index(item.reference))
            clusters.append(number)
            strata[item.label or item.reference or NOTHING] += 1
        commonest = min(strata, key=lambda stratum: (-strata[stratum], stratum))
        units.append(Unit(name, commonest, strata.total()))
    shared = sum(unit.items > 1 for unit in units)
    return Outset(
        Columns(values, in_order(list(content), values), tuple(sorted(attributes)), has_strength),
        parted(units, shares=shares, seed=seed),
        np.array(tallies, dtype=np.int64).reshape(-1, len(values)),
        np.array(truth, dtype=np.int64),
        Sample(clusters=np.array(clusters, dtype=np.int64)) if shared else ITEMS,
        shared,
    )


def targets(study: Study) -> "QuerySet[Item]":
    return study.items.filter(kind=Item.Kind.TARGET)


def read_items(items: "QuerySet[Item]") -> Iterator[ItemRead]:
    for name, content, reference, strength, tally, group, attributes in items.values_list(*FIELDS).iterator(
        chunk_size=CHUNK
    ):
        yield ItemRead(name, content, majority_in(tally), reference, strength, tally, group, attributes)


def unit_of(item: ItemRead) -> str:
    """What it stays with: its group, or itself. A group may be called what an item is called."""
    return f"group {item.group}" if item.group else f"item {item.id}"
