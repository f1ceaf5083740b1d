"""The item file: items.jsonl, one JSON object a line. Read whole, checked whole, free of Django.

A line holds `id`, `content` and, where they apply, `kind`, `reference`, `strength`, `attributes`, `group`, `revise`.
What `content` must hold is the task type's affair. A file with any fault is refused with all of them.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.tasktypes.contract import TaskType
from corpus.characters import unstorable_within
from corpus.errors import Fault, listing
from corpus.provenance import digest

KINDS = ("target", "gold", "attention", "practice")
CHECKS = ("gold", "attention")
FIELDS = ("id", "kind", "content", "reference", "strength", "attributes", "group", "revise")
LONGEST_ID = 120


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

    @property
    def content_hash(self) -> str:
        """sha256 of everything that a label or a score depends on."""
        parts = [self.kind, self.content, self.reference]
        return digest(parts if self.strength is None else [*parts, self.strength])

    def as_json(self) -> str:
        """The line, with fields in a fixed order and empty ones left out."""
        row: dict[str, Any] = {"id": self.id, "kind": self.kind, "content": self.content}
        if self.reference is not None:
            row["reference"] = self.reference
        if self.strength is not None:
            row["strength"] = self.strength
        if self.attributes:
            row["attributes"] = self.attributes
        if self.group:
            row["group"] = self.group
        if self.revise:
            row["revise"] = self.revise
        return json.dumps(row, ensure_ascii=False)


class ItemFileError(ValueError):
    """An item file that was refused. `faults` has every reason; str() lists them by line and field."""

    def __init__(self, path: Path, faults: list[Fault]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(listing(path, faults))


def read_items(path: Path, task: TaskType) -> list[ItemRow]:
    """All items of a file, in order; ItemFileError with every fault if there is one."""
    faults: list[Fault] = []
    rows: list[ItemRow] = []
    seen: dict[str, int] = {}
    for number, line in _lines(path):
        where = f"line {number}"
        raw, unreadable = _parsed(line)
        found = [unreadable] if unreadable else _row_faults(raw, task)
        if not found:
            row = _row(raw)
            if row.id in seen:
                found = [Fault("id", f"{row.id!r} was already used on line {seen[row.id]}")]
            seen.setdefault(row.id, number)
            rows.append(row)
        faults += [fault.under(where) for fault in found]
    if not faults and not any(row.kind == "target" for row in rows):
        faults.append(Fault("file", "has no items of kind target"))
    if faults:
        raise ItemFileError(path, faults)
    return rows


def write_items(path: Path, rows: Iterable[ItemRow]) -> None:
    """Write an item file; the same rows give the same bytes."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(row.as_json() + "\n")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, numbered from 1."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ItemFileError(path, [Fault("file", "does not exist")]) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ItemFileError(path, [Fault(f"line {line}", "is not UTF-8 text")]) from None
    # Not splitlines(): a text may hold a Unicode line separator inside its quotes.
    for number, content in enumerate(text.split("\n"), start=1):
        if content.strip():
            yield number, content


def _parsed(line: str) -> tuple[dict[str, Any], Fault | None]:
    try:
        raw = json.loads(line, object_pairs_hook=_without_repeats, parse_constant=_refused_constant)
    except json.JSONDecodeError as error:
        return {}, Fault("", f"is not JSON: {error.msg} at column {error.colno}")
    except (ValueError, RecursionError) as error:
        return {}, Fault("", f"is not JSON that can be read: {error}")
    if not isinstance(raw, dict):
        return {}, Fault("", f"must be a JSON object, not {type(raw).__name__}")
    return raw, None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"{', '.join(repeated)} is given twice")
    return dict(pairs)


def _refused_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _row_faults(raw: Mapping[str, Any], task: TaskType) -> list[Fault]:
    faults = [Fault(name, f"is not known here; known are {', '.join(FIELDS)}") for name in raw if name not in FIELDS]
    faults += _id_faults(raw["id"]) if "id" in raw else [Fault("id", "is missing")]
    if "kind" in raw and raw["kind"] not in KINDS:
        faults.append(Fault("kind", f"{raw['kind']!r} is not one of {', '.join(KINDS)}"))
    content = raw.get("content")
    if not isinstance(content, dict):
        faults.append(Fault("content", "must be an object"))
    else:
        faults += [fault.under("content") for fault in task.validate(content)]
    faults += _reference_faults(raw, task)
    if "strength" in raw and not _finite(raw["strength"]):
        faults.append(Fault("strength", f"{raw['strength']!r} is not a finite number"))
    attributes = raw.get("attributes", {})
    if not isinstance(attributes, dict) or not all(isinstance(value, str) for value in attributes.values()):
        faults.append(Fault("attributes", "must be an object of texts"))
    faults += [Fault(name, "must be text") for name in ("group", "revise") if not isinstance(raw.get(name, ""), str)]
    return faults + _character_faults(raw)


def _id_faults(value: object) -> list[Fault]:
    if not isinstance(value, str) or not value.strip():
        return [Fault("id", "must be text and not empty")]
    if len(value) > LONGEST_ID:
        return [Fault("id", f"is longer than {LONGEST_ID} characters")]
    if "/" in value or value in (".", "..") or not value.isprintable() or value != value.strip():
        return [Fault("id", "must not hold a slash, a line break or spaces around it: it becomes part of an address")]
    return []


def _reference_faults(raw: Mapping[str, Any], task: TaskType) -> list[Fault]:
    reference = raw.get("reference")
    if reference is None:
        if raw.get("kind") in CHECKS:
            return [Fault("reference", f"is missing; an item of kind {raw['kind']} needs the right answer")]
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


def _character_faults(raw: Mapping[str, Any]) -> list[Fault]:
    """Characters that cannot be stored or shown are refused here, where the line is known."""
    wrong = unstorable_within(raw)
    return [Fault("", wrong)] if wrong else []


def _row(raw: Mapping[str, Any]) -> ItemRow:
    return ItemRow(
        id=raw["id"],
        content=raw["content"],
        kind=raw.get("kind", "target"),
        reference=raw.get("reference"),
        attributes=raw.get("attributes", {}),
        group=raw.get("group", ""),
        strength=float(raw["strength"]) if "strength" in raw else None,
        revise=raw.get("revise", ""),
    )
