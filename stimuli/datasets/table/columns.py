"""The column map: which column is which field of an item, and what the file's labels are called here."""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.itemfile import KINDS as ITEM_KINDS
from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT, Scale
from annotation.tasktypes.words import bare_name
from corpus.decimals import plain_number, says_nothing
from corpus.errors import Fault
from corpus.formats.contract import Record
from corpus.tables.columns import MapError, named_in, text_of, there
from stimuli.datasets.table.keys import NO_KEYS, NO_OPTION, Keys, keys_of
from stimuli.datasets.table.rows import Table

ROW_FIELDS = ("id", "kind", "reference", "strength", "group", "explanation")
ATTRIBUTE = "attribute"
# Of an attribute they are values as any other: ±animate, a full stop, no adverb, a null subject.
LEVELS = frozenset(("-", "–", "—", ".", "none", "null"))
# Kinds of item as experimenters call them.
KINDS = {"filler": "target", "fillers": "target", "experimental": "target", "critical": "target", "test": "target"}
KINDS |= {"catch": "attention", "attention check": "attention", "training": "practice"}
# As a column that is mapped may call them too: one of conditions may have the same words, and is no column of kinds.
MORE_KINDS = KINDS | dict.fromkeys(("control", "distractor", "fill", "exp", "main", "kritisch", "füller"), "target")
MORE_KINDS |= dict.fromkeys(("attentioncheck", "check", "trap"), "attention")
MORE_KINDS |= {kind: kind for kind in ITEM_KINDS} | dict.fromkeys(("warmup", "example", "übung"), "practice")
# What stands for a missing word where no mark was named, the most telling first.
BLANKS = (
    re.compile(r"[_\uff3f]{2,}|(?<!\w)[_\uff3f](?!\w)"),
    re.compile(r"[\[(<]\s*+(?:blank|mask|gap|slot|\.{3,}|…)?\s*+[\])>]", re.IGNORECASE),
    re.compile(r"(?:…|\.{3,})+"),
    re.compile(r"(?<!\w)[-–—]{3,}(?!\w)"),
)
NUMBER = re.compile(r"[-+]?(\d++\.?\d*+|\.\d++)([eE][-+]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """`fields` is field → column: those of ROW_FIELDS and attribute.NAME; others are content.

    `labels` is the file's value → canonical value, for references, or empty for one that is none; `slot` is what marks
    the slot in the file; `kind` is that of rows that name none. `keys` is how the file names options (`keyed`).
    `right` is the role of a forced choice that is the right answer in every row, if one is.
    """

    fields: dict[str, str]
    labels: dict[str, str]
    slot: str = ""
    kind: str = "target"
    keys: Keys = NO_KEYS
    right: str = ""

    @property
    def roles(self) -> list[str]:
        """The roles of a forced choice, in the order of the map: `options.ROLE`."""
        return [field.partition(".")[2] for field in self.fields if field.startswith("options.")]


def pairs(texts: Sequence[str], option: str, *, may_lack: bool = False) -> tuple[dict[str, str], list[Fault]]:
    """NAME=VALUE texts as a dictionary; a fault for each that is none or comes twice. The value `may_lack`."""
    by_name: dict[str, str] = {}
    faults = []
    for text in texts:
        name, equals, value = text.partition("=")
        name, value = name.strip(), unicodedata.normalize("NFC", value.strip())
        if not equals or not name or not (value or may_lack):
            faults.append(Fault(option, f"{text!r} must be a name, an equals sign and a value"))
        elif name in by_name:
            faults.append(Fault(option, f"{name} is given twice"))
        else:
            by_name[name] = value
    return by_name, faults


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
    """Columns of the map that the table does not have; parts of cells and of records that no row has."""
    existing = ", ".join(table.columns or dict.fromkeys(name for row in table.rows for name in row.values))
    return [
        Fault(f"--map {field}", f"there is no column {column!r}; there are {existing}")
        for field, column in columns.fields.items()
        if column not in table.columns and not all(_is_anywhere(one, table) for one in named_in(column))
        if table.rows or table.columns
    ]


def _is_anywhere(column: str, table: Table) -> bool:
    empty = dict.fromkeys(table.columns)
    return there(empty, column, table.columns) or any(there(row.values, column, table.columns) for row in table.rows)


def unstored_columns(table: Table, columns: ColumnMap) -> list[Fault]:
    """Columns of the map whose formulas have no stored value: what they say is nowhere in the file."""
    wrong = "holds formulas without a stored value; open the file in Excel and save it"
    mapped = {one for column in columns.fields.values() for one in named_in(column)}
    return [Fault(f"column {column!r}", wrong) for column in table.unstored if column in mapped]


def item_row(
    row: Record, number: int, columns: ColumnMap, header: Sequence[str] = (), *, scale: Scale | None = None
) -> tuple[ItemRow, list[Fault]]:
    """The item of a row, and what keeps the row from being read; what the item must be, the item file checks.

    By the `scale`, words of a reference are read as they are meant: `3.0` is 3, and `Yes` is yes.
    """
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
        elif not text or (is_category(field) and is_nothing(text, field)):
            continue
        elif field.startswith(f"{ATTRIBUTE}."):
            attributes[field.partition(".")[2]] = text
        else:
            _put(content, field, _with_slot(field, text, columns.slot, needed=bool(columns.roles)))
    reference, fault = _reference(plain.get("reference", ""), content, columns, scale)
    if fault:
        faults.append(fault.under(f"{row.where}, column {columns.fields['reference']!r}"))
    strength, fault = _number(plain.get("strength", ""))
    if fault:
        faults.append(fault.under(f"{row.where}, column {columns.fields['strength']!r}"))
    item = ItemRow(
        id=plain.get("id", f"row-{number}"),
        content=content,
        kind=kind_of(plain.get("kind", "")) or columns.kind,
        reference=reference or columns.right or None,
        strength=strength,
        attributes=attributes,
        group="" if is_nothing(plain.get("group", ""), "group") else plain["group"],
        explanation=plain.get("explanation", ""),
    )
    return item, faults


def is_category(field: str) -> bool:
    """Whether a field sorts items, and is neither a text, nor a name, nor an answer."""
    return field == "group" or field.startswith(f"{ATTRIBUTE}.")


def is_nothing(text: str, field: str) -> bool:
    """Whether a category's cell says that nothing stands there."""
    return says_nothing(text) and (field == "group" or text.casefold() not in LEVELS)


def kind_of(text: str) -> str:
    """A kind as the item file calls it."""
    folded = text.casefold()
    bare = re.sub(r"(?<=.)(items?|trials?)$|s$", "", bare_name(folded)) or folded
    return "" if says_nothing(folded) else MORE_KINDS.get(folded) or MORE_KINDS.get(bare, folded)


def empty_fields(row: Record, columns: ColumnMap, header: Sequence[str]) -> list[str]:
    """The fields of the map for which a row has nothing: no such column or part, null, or an empty text."""
    return [field for field, column in columns.fields.items() if not _text(row, column, header)[0]]


def _text(row: Record, column: str, header: Sequence[str]) -> tuple[str, Fault | None]:
    """A cell as text, or what is wrong with it. What other rows have and this one lacks is nothing."""
    if named_in(column) == [column] and not there(row.values, column, header):
        return "", None
    try:
        return text_of(row.values, column, header), None
    except MapError as error:
        return "", Fault(f"{row.where}, column {column!r}", str(error))


def _with_slot(field: str, text: str, slot: str, *, needed: bool) -> str:
    """The text with our own mark of the slot, where the task needs one and the text has one blank, however written."""
    if field not in ("sentence", "neutral") or not (slot or needed):
        return text
    if slot and text.count(slot) == 1 and slot.strip("_") != "":
        return text.replace(slot, SLOT)
    blank = next((one for one in BLANKS if one.search(text)), None)
    return blank.sub(SLOT, text) if blank and len(blank.findall(text)) == 1 else text


def _reference(
    text: str, content: Mapping[str, Any], columns: ColumnMap, scale: Scale | None
) -> tuple[str | None, Fault | None]:
    """The right answer's canonical value: as the map says, or as options or the scale read it."""
    if columns.labels.get(text):
        return columns.labels[text], None
    if columns.roles:
        texts = {role: str(words) for role, words in content.get("options", {}).items()}
        if role := columns.keys.role(text, texts):
            return role, None
        if plain_number(text) == NO_OPTION:
            return None, None
    if scale and not scale.of_roles and text not in columns.labels and (meant := scale.meant(text)):
        return meant, None
    if says_nothing(text):
        return None, None
    if columns.labels and text not in columns.labels:
        return None, Fault("", f"{text!r} is not among the labels that were given: {', '.join(columns.labels)}")
    return columns.labels.get(text, text) or None, None


def keyed(table: Table, columns: ColumnMap) -> ColumnMap:
    """The map, with how the whole column of right answers names options."""
    column = columns.fields.get("reference", "")
    if not columns.roles or not column:
        return columns
    options = {role: columns.fields[f"options.{role}"] for role in columns.roles}
    return replace(columns, keys=keys_of(table, options, column, explained=columns.labels))


def doubtful_keys(columns: ColumnMap) -> list[Fault]:
    """Why the column of right answers cannot be read, where it can be read in several ways."""
    doubt = columns.keys.doubt
    return [Fault(f"column {columns.fields['reference']!r}", doubt)] if doubt else []


def _number(text: str) -> tuple[float | None, Fault | None]:
    if says_nothing(text):
        return None, None
    text = plain_number(text)
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
