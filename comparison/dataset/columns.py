"""What a row of the configuration `items` holds, of which type it is, and which field of an item it was. Pure."""

import json
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotation.models import Item, Study
from annotation.models.item import majority_in
from comparison.dataset.parting import Parting, Unit, parted
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.resampling.sample import ITEMS, Sample

# How classifiers call the two texts of a pair (Wang et al. 2019, GLUE); other fields keep the task type's names.
PAIRS = {"original": "sentence1", "modified": "sentence2", "first": "sentence1", "second": "sentence2"}
TEXT, WHOLE, NUMBER, LABEL = "string", "int32", "float64", "label"


@dataclass(frozen=True, slots=True)
class Column:
    """`field` is what `import_study table --map` calls it; empty where it is no field of an item."""

    name: str
    kind: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class ItemRead:
    """An item as it comes out of a study; `label` is the majority, None where there is none."""

    id: str
    content: Mapping[str, Any]
    label: str | None
    reference: str | None
    strength: float | None
    tally: Mapping[str, int]
    group: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Columns:
    """`content` are the fields that some item's content has, `attributes` the names that some item has."""

    values: tuple[str, ...]
    content: tuple[str, ...]
    attributes: tuple[str, ...]
    has_strength: bool

    @property
    def of_items(self) -> list[Column]:
        return [
            Column("id", TEXT, "id"),
            *(Column(_named(field), TEXT, "" if field in WITHOUT_MAP else field) for field in self.content),
            Column("label", LABEL),
            Column("reference", LABEL, "reference"),
            *([Column("published_strength", NUMBER, "strength")] if self.has_strength else []),
            Column("labels", WHOLE),
            *(Column(f"labels_{value}", WHOLE) for value in self.values),
            Column("group", TEXT, "group"),
            *(Column(f"attribute_{name}", TEXT, f"attribute.{name}") for name in self.attributes),
        ]

    def row(self, item: ItemRead) -> dict[str, Any]:
        """The item's row; what it does not have is None."""
        content = flat(item.content)
        return {
            "id": item.id,
            **{_named(field): content.get(field) for field in self.content},
            "label": item.label,
            "reference": item.reference,
            **({"published_strength": item.strength} if self.has_strength else {}),
            "labels": sum(item.tally.values()),
            **{f"labels_{value}": item.tally.get(value, 0) for value in self.values},
            "group": item.group or None,
            **{f"attribute_{name}": item.attributes.get(name) for name in self.attributes},
        }


# Which words of an option are its verb: places, which a table has no cell for. It is there as JSON.
WITHOUT_MAP = ("verb_at",)
OF_LABELS = (
    Column("item", TEXT),
    Column("annotator", WHOLE),
    Column("label", LABEL),
    Column("population", TEXT),
)


def flat(content: Mapping[str, Any]) -> dict[str, str]:
    """Each text of an item under its field, those of options as `options.ROLE`; anything else as JSON."""
    cells: dict[str, str] = {}
    for name, value in content.items():
        if isinstance(value, str):
            cells[name] = value
        elif name in WITHOUT_MAP or not isinstance(value, Mapping):
            cells[name] = json.dumps(value, ensure_ascii=False)
        else:
            cells |= {f"{name}.{inner}": str(text) for inner, text in value.items()}
    return cells


def in_order(fields: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """The fields as they came, but options in the order of the scale, which is what the importer gives them."""
    options = [f"options.{value}" for value in values if f"options.{value}" in fields]
    others = [field for field in fields if field not in options]
    return (*others, *options)


def _named(field: str) -> str:
    return PAIRS.get(field, field.replace(".", "_", 1))


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
