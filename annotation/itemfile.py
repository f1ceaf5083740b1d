"""The item file: items.jsonl, one JSON object a line. Read whole, checked whole, free of Django.

A line holds `id`, `content` and, where they apply, `kind`, `reference`, `strength`, `attributes`, `group`, `revise`,
`explanation`.
What `content` must hold is the task type's affair. A file with any fault is refused with all of them.
"""

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.tasktypes.contract import TaskType
from corpus.bounds import LONGEST_NOTE, MOST_ATTRIBUTES, MOST_FAULTS, fault_of_text, fault_of_texts
from corpus.errors import Fault, SourceError
from corpus.provenance import OrderedSum, digest, wide_hash
from corpus.source_text import JsonLine, json_lines, read_text

NAME = "items.jsonl"
KINDS = ("target", "gold", "attention", "practice")
CHECKS = ("gold", "attention")
FIELDS = ("id", "kind", "content", "reference", "strength", "attributes", "group", "revise", "explanation")
# What a line need not say.
EMPTY: dict[str, Any] = {
    "reference": None, "strength": None, "attributes": {}, "group": "", "revise": "", "explanation": ""
}  # fmt: skip
LONGEST_ID = 400


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One line of an item file."""

    id: str
    content: dict[str, Any]
    kind: str = "target"
    reference: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    group: str = ""
    # A published number for the item, such as a mean rating, where the labels behind it are not available.
    strength: float | None = None
    # Why a person should look at the words before annotators do; empty if nobody need.
    revise: str = ""
    # Of practice: why the reference is right, as people read it after their answer.
    explanation: str = ""

    @property
    def content_hash(self) -> str:
        """sha256 of everything that a label or a score depends on."""
        parts = [self.kind, self.content, self.reference]
        return digest(parts if self.strength is None else [*parts, self.strength])

    def fields(self) -> dict[str, Any]:
        """The line's object, with fields in a fixed order and empty ones left out."""
        found = {name: getattr(self, name) for name in FIELDS}
        return {name: value for name, value in found.items() if name not in EMPTY or value != EMPTY[name]}

    def as_json(self) -> str:
        return json.dumps(self.fields(), ensure_ascii=False)


def term_of(row: ItemRow, before: str) -> int:
    """What the row adds to the sum over its file; `before` is the id of the one before it, empty for the first.

    Ids are there once and hold no line break. So these terms say which rows there are, and in which order.
    """
    line = json.dumps(row.fields(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return wide_hash(f"{before}\n{line}")


def sum_of(rows: Iterable[ItemRow]) -> OrderedSum:
    """What identifies these rows in this order."""
    total, before = 0, ""
    for row in rows:
        total += term_of(row, before)
        before = row.id
    return OrderedSum().changed(more=total)


class ItemFileError(SourceError):
    """An item file that was refused."""


def read_items(path: Path, task: TaskType) -> list[ItemRow]:
    """All items of a file, in order; ItemFileError with every fault if there is one."""
    if not path.exists():
        raise ItemFileError(path, [Fault("file", "does not exist")])
    rows, faults = _checked(json_lines(read_text(path, refused=ItemFileError)), task)
    if faults:
        raise ItemFileError(path, faults)
    return rows


def items_of(
    objects: Iterable[Mapping[str, Any]],
    task: TaskType,
    *,
    existing: Collection[str] | None = None,
    path: Path = Path(NAME),
) -> list[ItemRow]:
    """The items of what a file's lines hold, without a file; ItemFileError with every fault, by line.

    `existing` as for `item_faults`; `path` is what the file would be called.
    """
    lines = (JsonLine.holding(number, dict(value)) for number, value in enumerate(objects, start=1))
    rows, faults = _checked(lines, task, beside=existing)
    if faults:
        raise ItemFileError(path, faults)
    return rows


def item_faults(rows: Iterable[ItemRow], task: TaskType, *, beside: Collection[str] | None = None) -> list[Fault]:
    """What is wrong with items that were made, by the line on which each would stand in a file of them.

    `beside` are the ids of items that are there already, of which one is a target; None where these are all.
    """
    lines = (JsonLine.holding(number, row.fields()) for number, row in enumerate(rows, start=1))
    return _checked(lines, task, beside=beside)[1]


def write_items(path: Path, rows: Iterable[ItemRow]) -> None:
    """Write an item file; the same rows give the same bytes."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(row.as_json() + "\n")


def _checked(
    lines: Iterable[JsonLine], task: TaskType, *, beside: Collection[str] | None = None
) -> tuple[list[ItemRow], list[Fault]]:
    """The items that are sound by themselves, and every fault."""
    faults: list[Fault] = []
    rows: list[ItemRow] = []
    seen: dict[str, int] = {}
    for line in lines:
        if len(faults) >= MOST_FAULTS:
            break
        found = [line.fault] if line.fault else [fault.under(line.where) for fault in _row_faults(line.value, task)]
        if not found:
            row = _row(line.value)
            if row.id in (beside or ()):
                found = [Fault(f"{line.where}.id", f"{row.id!r} is already the ID of another item")]
            elif row.id in seen:
                found = [Fault(f"{line.where}.id", f"“{row.id}” was already used on line {seen[row.id]}")]
            seen.setdefault(row.id, line.number)
            rows.append(row)
        faults += found
    if not faults and beside is None and not any(row.kind == "target" for row in rows):
        faults.append(Fault("file", "has no target items"))
    return rows, faults


def _row_faults(raw: Mapping[str, Any], task: TaskType) -> list[Fault]:
    faults = [Fault(name, f"is not recognized; use one of: {', '.join(FIELDS)}") for name in raw if name not in FIELDS]
    faults += _id_faults(raw["id"]) if "id" in raw else [Fault("id", "is missing")]
    if "kind" in raw and raw["kind"] not in KINDS:
        faults.append(Fault("kind", f"{raw['kind']!r} is not one of {', '.join(KINDS)}"))
    content = raw.get("content")
    if not isinstance(content, dict):
        faults.append(Fault("content", "must be an object"))
    else:
        faults += [fault.under("content") for fault in task.validate(content)]
        faults += _length_faults(content)
    faults += _reference_faults(raw, task)
    if "strength" in raw and not _finite(raw["strength"]):
        faults.append(Fault("strength", f"{raw['strength']!r} is not a finite number"))
    attributes = raw.get("attributes", {})
    if not isinstance(attributes, dict) or not all(isinstance(value, str) for value in attributes.values()):
        faults.append(Fault("attributes", "must be an object whose values are text"))
    else:
        faults += _attribute_faults(attributes)
    words = ("group", "revise", "explanation")
    faults += [Fault(name, "must be text") for name in words if not isinstance(raw.get(name, ""), str)]
    notes = {name: text for name in words[1:] if isinstance(text := raw.get(name), str)}
    faults += [Fault(name, wrong) for name, text in notes.items() if (wrong := fault_of_text(text, most=LONGEST_NOTE))]
    if isinstance(raw.get("group"), str) and len(raw["group"]) > LONGEST_ID:
        faults.append(Fault("group", f"is longer than {LONGEST_ID} characters"))
    if raw.get("explanation") and raw.get("kind") != "practice":
        faults.append(Fault("explanation", "is only for practice items"))
    return faults


def _length_faults(content: Mapping[str, Any]) -> list[Fault]:
    """A page shows all texts of an item: each has a most, and so have they together."""
    texts = dict(_texts(content))
    faults = [Fault(name, wrong) for name, text in texts.items() if (wrong := fault_of_text(text))]
    if not faults and (wrong := fault_of_texts(texts.values())):
        faults.append(Fault("", wrong))
    return [fault.under("content") for fault in faults]


def _texts(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each text by its path: `sentence`, `options.negation`."""
    for name, value in content.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            yield from ((f"{name}.{inner}", text) for inner, text in _texts(value))


def _attribute_faults(attributes: Mapping[str, str]) -> list[Fault]:
    if len(attributes) > MOST_ATTRIBUTES:
        return [Fault("attributes", f"has {len(attributes):,} names; the limit is {MOST_ATTRIBUTES}")]
    long = [name for name in attributes if len(name) > LONGEST_ID]
    faults = [Fault("attributes", f"the name {name[:40]!r}… has more than {LONGEST_ID} characters") for name in long]
    return faults + [
        Fault(f"attributes.{name}", wrong)
        for name, text in attributes.items()
        if (wrong := fault_of_text(text, most=LONGEST_NOTE))
    ]


def _id_faults(value: object) -> list[Fault]:
    if not isinstance(value, str) or not value.strip():
        return [Fault("id", "must be non-empty text")]
    if len(value) > LONGEST_ID:
        return [Fault("id", f"is longer than {LONGEST_ID} characters")]
    if "/" in value or value in (".", "..") or not value.isprintable() or value != value.strip():
        said = "must not contain a slash or line break, or begin or end with a space: it is part of a URL"
        return [Fault("id", said)]
    return []


def _reference_faults(raw: Mapping[str, Any], task: TaskType) -> list[Fault]:
    reference = raw.get("reference")
    if reference is None:
        if raw.get("kind") in CHECKS:
            return [Fault("reference", f"is missing; {raw['kind']} items need a correct answer")]
        return []
    if reference not in task.scale.values:
        return [Fault("reference", f"{reference!r} is not one of {', '.join(task.scale.values)}")]
    return []


def _finite(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        # A whole number too large for any column.
        return False


def _row(raw: Mapping[str, Any]) -> ItemRow:
    return ItemRow(**{**raw, "strength": float(raw["strength"])} if "strength" in raw else raw)
