"""What a row of the configuration `items` holds, of which type it is, and which field of an item it was. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    found: dict[str, str] = {}
    for name, value in content.items():
        if isinstance(value, str):
            found[name] = value
        elif name in WITHOUT_MAP or not isinstance(value, Mapping):
            found[name] = json.dumps(value, ensure_ascii=False)
        else:
            found |= {f"{name}.{inner}": str(text) for inner, text in value.items()}
    return found


def in_order(fields: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """The fields as they came, but options in the order of the scale, which is what the importer gives them."""
    options = [f"options.{value}" for value in values if f"options.{value}" in fields]
    others = [field for field in fields if field not in options]
    return (*others, *options)


def _named(field: str) -> str:
    return PAIRS.get(field, field.replace(".", "_", 1))
