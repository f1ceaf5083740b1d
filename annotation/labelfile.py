"""The label file: labels.csv, labels that people gave elsewhere. Read whole, checked whole, free of Django.

Columns are `item`, `annotator`, `label` and, where it was measured, `seconds`, in any order. What a label may
be is the task type's affair. One annotator has one label for an item; a file with any fault is refused with all.
"""

import csv
import hashlib
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.tasktypes.contract import TaskType
from corpus.delimited import rows as rows_of
from corpus.errors import Fault, SourceError
from corpus.source_text import source_bytes

NAME = "labels.csv"
NEEDED = ("item", "annotator", "label")
FIELDS = (*NEEDED, "seconds")
LONGEST_ANNOTATOR = 80
# A clock that ran for longer than a day says nothing about the item.
LONGEST_SECONDS = 86_400.0


class LabelFileError(SourceError):
    """A label file that was refused."""


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label: whose, on what, which canonical value, and how long it took if that is known."""

    item: str
    annotator: str
    label: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class LabelFile:
    """A label file, read; `sha256` is that of its bytes."""

    name: str
    sha256: str
    rows: list[LabelRow]


def read_labels(path: Path, task: TaskType, items: Iterable[str]) -> LabelFile:
    """Every label of the file; LabelFileError with every fault, by line. `items` are the ids that may be labeled."""
    data = source_bytes(path, refused=LabelFileError)
    rows, faults = _checked(_cells(data), task, items)
    if not faults and not rows:
        faults.append(Fault("file", "holds no labels"))
    if faults:
        raise LabelFileError(path, faults)
    return LabelFile(path.name, hashlib.sha256(data).hexdigest(), rows)


def label_faults(rows: Iterable[LabelRow], task: TaskType, items: Iterable[str]) -> list[Fault]:
    """What is wrong with labels that were made, by the line on which each would stand in a file of them."""
    lines = ((line, dict(zip(FIELDS, _written(row), strict=True))) for line, row in enumerate(rows, start=2))
    return _checked(lines, task, items)[1]


def write_labels(path: Path, rows: Iterable[LabelRow]) -> None:
    """Write a label file; the same rows give the same bytes. `seconds` is a column only if some row has them."""
    rows = list(rows)
    columns = FIELDS if any(row.seconds is not None for row in rows) else NEEDED
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(_written(row)[: len(columns)] for row in rows)


def _written(row: LabelRow) -> list[str]:
    """The cells of a row, `seconds` last."""
    return [row.item, row.annotator, row.label, "" if row.seconds is None else f"{row.seconds:g}"]


def _checked(
    lines: Iterable[tuple[int, dict[str, str] | Fault]], task: TaskType, items: Iterable[str]
) -> tuple[list[LabelRow], list[Fault]]:
    """The labels that are sound, and every fault."""
    known, values = set(items), set(task.scale.values)
    faults: list[Fault] = []
    rows: list[LabelRow] = []
    seen: dict[tuple[str, str], int] = {}
    for line, found in lines:
        if isinstance(found, Fault):
            faults.append(found.under(f"line {line}"))
            continue
        wrong = _faults(found, known, values)
        pair = (found["item"], found["annotator"])
        if not wrong and pair in seen:
            wrong = [Fault("item, annotator", f"{pair[1]!r} labeled {pair[0]!r} already on line {seen[pair]}")]
        seen.setdefault(pair, line)
        faults += [fault.under(f"line {line}") for fault in wrong]
        if not wrong:
            rows.append(LabelRow(*pair, found["label"], float(found["seconds"]) if found.get("seconds") else None))
    return rows, faults


def _cells(data: bytes) -> Iterator[tuple[int, dict[str, str] | Fault]]:
    """Each row's cells under their column, with the line it begins on; a Fault where it has none."""
    header: list[str] = []
    for line, cells in rows_of(data):
        if isinstance(cells, Fault):
            yield line, cells
        elif not header:
            header = [cell.strip() for cell in cells]
            wrong = _header_faults(header)
            yield from ((line, fault) for fault in wrong)
            if wrong:
                return
        elif len(cells) != len(header):
            yield line, Fault("", f"has {len(cells)} cells; the first line names {len(header)} columns")
        else:
            yield line, dict(zip(header, cells, strict=True))


def _header_faults(header: list[str]) -> list[Fault]:
    faults = [Fault(name, "is missing as a column") for name in NEEDED if name not in header]
    faults += [
        Fault(name, f"is not known as a column; known are {', '.join(FIELDS)}") for name in header if name not in FIELDS
    ]
    return faults + [Fault(name, "is given twice") for name in FIELDS if header.count(name) > 1]


def _faults(cells: dict[str, str], items: set[str], values: set[str]) -> list[Fault]:
    faults = []
    if cells["item"] not in items:
        faults.append(Fault("item", f"there is no item {cells['item']!r} that takes labels"))
    if not annotator_name(cells["annotator"]):
        faults.append(Fault("annotator", f"must be a name of at most {LONGEST_ANNOTATOR} characters on one line"))
    if not cells["label"]:
        faults.append(Fault("label", "is empty; leave out the lines of those who gave no label"))
    elif cells["label"] not in values:
        faults.append(Fault("label", f"{cells['label']!r} is not one of {', '.join(sorted(values, key=_natural))}"))
    if not _duration(cells.get("seconds", "")):
        faults.append(Fault("seconds", f"{cells['seconds']!r} is not a number of seconds from 0 to a day"))
    return faults


def annotator_name(text: str) -> bool:
    """Whether an annotator can be called that: one line, not blank, not too long."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_ANNOTATOR


def _natural(value: str) -> tuple[int, str]:
    return len(value), value


def _duration(text: str) -> bool:
    if not text:
        return True
    if not re.fullmatch(r"\d+(\.\d+)?([eE][-+]?\d{1,2})?", text):
        return False
    return math.isfinite(float(text)) and float(text) <= LONGEST_SECONDS
