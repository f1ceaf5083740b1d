"""The column map: which column is which field of an item, and what the file's labels are called here."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT
from corpus.errors import Fault
from corpus.tables.columns import MapError, named_in, text_of, there
from stimuli.datasets.table.rows import Table, TableRow

ROW_FIELDS = ("id", "kind", "reference", "strength", "group", "explanation")
ATTRIBUTE = "attribute"
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """`fields` is field → column: those of ROW_FIELDS and attribute.NAME; others are content.

    `labels` is the file's value → canonical value, for references, or empty for one that is none; `slot` is what marks
    the slot in the file; `kind` is that of rows that name none.
    """

    fields: dict[str, str]
    labels: dict[str, str]
    slot: str = ""
    kind: str = "target"

    @property
    def roles(self) -> list[str]:
        """The roles of a forced choice, in the order of the map: `options.ROLE`."""
        return [field.partition(".")[2] for field in self.fields if field.startswith("options.")]


def pairs(texts: Sequence[str], option: str) -> tuple[dict[str, str], list[Fault]]:
    """NAME=VALUE texts as a dictionary; a fault for each that is none or comes twice."""
    found: dict[str, str] = {}
    faults = []
    for text in texts:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            faults.append(Fault(option, f"{text!r} must be a name, an equals sign and a value"))
        elif name in found:
            faults.append(Fault(option, f"{name} is given twice"))
        else:
            found[name] = value
    return found, faults


def misplaced(fields: Sequence[str]) -> list[Fault]:
    """Fields that cannot stand beside each other: a text and parts of it, or a part without a name."""
    faults = []
    for field in fields:
        name, dot, inner = field.partition(".")
        if dot and not inner:
            faults.append(Fault("--map", f"{field!r} has no name after the point"))
        elif dot and name in fields:
            faults.append(Fault("--map", f"{name!r} cannot be a text and have the part {inner!r}"))
    return faults


def missing_columns(table: Table, columns: ColumnMap) -> list[Fault]:
    """Columns of the map that the table does not have. JSON lines are asked row by row."""
    if not table.columns:
        return []
    return [
        Fault(f"--map {field}", f"there is no column {column!r}; there are {', '.join(table.columns)}")
        for field, column in columns.fields.items()
        if column not in table.columns and not all(_may_be_there(one, table.columns) for one in named_in(column))
    ]


def _may_be_there(column: str, header: Sequence[str]) -> bool:
    """A column, or a part of one: which parts there are, each row says."""
    return there(dict.fromkeys(header), column, header) or column.split(".")[0] in header


def item_row(row: TableRow, number: int, columns: ColumnMap, header: Sequence[str] = ()) -> tuple[ItemRow, list[Fault]]:
    """The item of a row, and what keeps the row from being read; what the item must be, the item file checks."""
    content: dict[str, Any] = {}
    plain: dict[str, str] = {}
    attributes: dict[str, str] = {}
    faults = []
    for field, column in columns.fields.items():
        text, fault = _text(row, column, header)
        if fault:
            faults.append(fault)
        elif field in ROW_FIELDS:
            plain[field] = text
        elif not text:
            continue
        elif field.startswith(f"{ATTRIBUTE}."):
            attributes[field.partition(".")[2]] = text
        else:
            _put(content, field, _with_slot(field, text, columns.slot))
    reference, fault = _reference(plain.get("reference", ""), columns.labels)
    if fault:
        faults.append(fault.under(f"{row.where}, column {columns.fields['reference']!r}"))
    strength, fault = _number(plain.get("strength", ""))
    if fault:
        faults.append(fault.under(f"{row.where}, column {columns.fields['strength']!r}"))
    item = ItemRow(
        id=plain.get("id", f"row-{number}"),
        content=content,
        kind=plain.get("kind") or columns.kind,
        reference=reference,
        strength=strength,
        attributes=attributes,
        group=plain.get("group", ""),
        explanation=plain.get("explanation", ""),
    )
    return item, faults


def empty_fields(row: TableRow, columns: ColumnMap, header: Sequence[str]) -> list[str]:
    """The fields of the map for which a row has nothing: no such column or part, null, or an empty text."""
    return [field for field, column in columns.fields.items() if not _text(row, column, header)[0]]


def _text(row: TableRow, column: str, header: Sequence[str]) -> tuple[str, Fault | None]:
    """A cell as text, or what is wrong with it."""
    try:
        return text_of(row.values, column, header), None
    except MapError as error:
        return "", Fault(f"{row.where}, column {column!r}", str(error))


def _with_slot(field: str, text: str, slot: str) -> str:
    return text.replace(slot, SLOT) if slot and field == "sentence" else text


def _reference(text: str, labels: Mapping[str, str]) -> tuple[str | None, Fault | None]:
    if not text:
        return None, None
    if labels and text not in labels:
        return None, Fault("", f"{text!r} is not among the labels that were given: {', '.join(labels)}")
    return labels.get(text, text) or None, None


def _number(text: str) -> tuple[float | None, Fault | None]:
    if not text:
        return None, None
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return None, Fault("", f"{text!r} is not a finite number")
    return float(text), None


def _put(content: dict[str, Any], field: str, text: str) -> None:
    """`options.good` is the entry `good` of the object `options`."""
    name, _, inner = field.partition(".")
    if inner:
        content.setdefault(name, {})[inner] = text
    else:
        content[name] = text
