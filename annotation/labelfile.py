"""The label file: labels.csv, labels that people gave elsewhere. Read whole, checked whole, free of Django.

Columns are `item`, `annotator`, `label` and, where it was measured, `seconds`, in any order. What a label may
be is the task type's affair. One annotator has one label for an item; a file with any fault is refused with all.
"""

import csv
import hashlib
import math
import re
from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFile:
    """A label file, read: a million labels as four columns of codes. `sha256` is that of its bytes.

    `item_codes` are places in `items` (all that may be labeled), `annotator_codes` in `annotators` (in the order in
    which they come up), `label_codes` in `labels` (the scale); `seconds` is NaN where it was not measured.
    """

    name: str
    sha256: str
    items: Sequence[str]
    annotators: Sequence[str]
    labels: Sequence[str]
    item_codes: "array[int]"
    annotator_codes: "array[int]"
    label_codes: "array[int]"
    seconds: "array[float]"

    def __len__(self) -> int:
        return len(self.item_codes)

    @property
    def rows(self) -> list[LabelRow]:
        """The labels one by one, in the order of the file."""
        columns = zip(self.item_codes, self.annotator_codes, self.label_codes, self.seconds, strict=True)
        return [
            LabelRow(self.items[item], self.annotators[who], self.labels[label], None if took != took else took)
            for item, who, label, took in columns
        ]


def read_labels(path: Path, task: TaskType, items: Iterable[str]) -> LabelFile:
    """Every label of the file; LabelFileError with every fault, by line. `items` are the ids that may be labeled."""
    data = source_bytes(path, refused=LabelFileError)
    sheet = _Sheet(task, items)
    sheet.take(_cells(data))
    if not sheet.faults and not sheet.lines:
        sheet.faults.append(Fault("file", "holds no labels"))
    if sheet.faults:
        raise LabelFileError(path, sheet.faults)
    return sheet.file(path.name, hashlib.sha256(data).hexdigest())


def label_faults(rows: Iterable[LabelRow], task: TaskType, items: Iterable[str]) -> list[Fault]:
    """What is wrong with labels that were made, by the line on which each would stand in a file of them."""
    sheet = _Sheet(task, items)
    sheet.take(enumerate(map(_written, rows), start=2))
    return sheet.faults


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


class _Sheet:
    """Takes the lines of a file in. What is sound becomes codes at once: a million labels as objects fill gigabytes."""

    def __init__(self, task: TaskType, items: Iterable[str]) -> None:
        self.items = {name: code for code, name in enumerate(dict.fromkeys(items))}
        self.labels = {value: code for code, value in enumerate(task.scale.values)}
        self.annotators: dict[str, int] = {}
        self.faults: list[Fault] = []
        self.lines, self.item_codes, self.annotator_codes = array("l"), array("l"), array("l")
        self.label_codes, self.seconds = array("h"), array("d")
        # Labels that are there, and the lines of those with another fault.
        self._pairs: set[int] = set()
        self._faulty: dict[tuple[str, str], int] = {}
        self._looked: dict[tuple[int, int], int] = {}

    def take(self, lines: Iterable[tuple[int, list[str] | Fault]]) -> None:
        """Lines with their number: an item, an annotator, a label, seconds; or what is wrong with the line."""
        items, labels, annotators, pairs = self.items, self.labels, self.annotators, self._pairs
        for line, found in lines:
            if isinstance(found, Fault):
                self.faults.append(found.under(f"line {line}"))
                continue
            name, who, label, took = found
            item, annotator, code, seconds = items.get(name), annotators.get(who), labels.get(label), _seconds(took)
            if annotator is None and annotator_name(who):
                annotator = annotators[who] = len(annotators)
            if item is None or annotator is None or code is None or seconds is None:
                self.faults += [fault.under(f"line {line}") for fault in _faults(found, self.items, self.labels)]
                self._faulty.setdefault((name, who), line)
                continue
            pair = annotator * len(items) + item
            if pair in pairs or (self._faulty and (name, who) in self._faulty):
                self._repeated(line, name, who)
                continue
            pairs.add(pair)
            self.lines.append(line)
            self.item_codes.append(item)
            self.annotator_codes.append(annotator)
            self.label_codes.append(code)
            self.seconds.append(seconds)

    def file(self, name: str, sha256: str) -> LabelFile:
        return LabelFile(
            name=name,
            sha256=sha256,
            items=tuple(self.items),
            annotators=tuple(self.annotators),
            labels=tuple(self.labels),
            item_codes=self.item_codes,
            annotator_codes=self.annotator_codes,
            label_codes=self.label_codes,
            seconds=self.seconds,
        )

    def _repeated(self, line: int, item: str, annotator: str) -> None:
        pair = self.items[item], self.annotators[annotator]
        # Looked for only in a file that is refused, and once for all lines: whoever repeats one repeats many.
        for number in range(len(self._looked), len(self.lines)):
            self._looked.setdefault((self.item_codes[number], self.annotator_codes[number]), self.lines[number])
        lines = [self._looked.get(pair), self._faulty.get((item, annotator))]
        earliest = min(one for one in lines if one is not None)
        message = f"{annotator!r} labeled {item!r} already on line {earliest}"
        self.faults.append(Fault(f"line {line}.item, annotator", message))


def _cells(data: bytes) -> Iterator[tuple[int, list[str] | Fault]]:
    """Each row's cells in the order of FIELDS, with the line it begins on; a Fault where it has none."""
    header: list[str] = []
    places: list[int] = []
    for line, cells in rows_of(data):
        if isinstance(cells, Fault):
            yield line, cells
        elif not header:
            header = [cell.strip() for cell in cells]
            wrong = _header_faults(header)
            yield from ((line, fault) for fault in wrong)
            if wrong:
                return
            places = [header.index(name) for name in FIELDS if name in header]
        elif len(cells) != len(header):
            yield line, Fault("", f"has {len(cells)} cells; the first line names {len(header)} columns")
        elif len(places) == len(FIELDS):
            yield line, [cells[place] for place in places]
        else:
            yield line, [*[cells[place] for place in places], ""]


def _header_faults(header: list[str]) -> list[Fault]:
    faults = [Fault(name, "is missing as a column") for name in NEEDED if name not in header]
    faults += [
        Fault(name, f"is not known as a column; known are {', '.join(FIELDS)}") for name in header if name not in FIELDS
    ]
    return faults + [Fault(name, "is given twice") for name in FIELDS if header.count(name) > 1]


def _faults(cells: Sequence[str], items: Container[str], labels: Iterable[str]) -> list[Fault]:
    item, annotator, label, seconds = cells
    faults = []
    if item not in items:
        faults.append(Fault("item", f"there is no item {item!r} that takes labels"))
    if not annotator_name(annotator):
        faults.append(Fault("annotator", f"must be a name of at most {LONGEST_ANNOTATOR} characters on one line"))
    if not label:
        faults.append(Fault("label", "is empty; leave out the lines of those who gave no label"))
    elif label not in labels:
        faults.append(Fault("label", f"{label!r} is not one of {', '.join(sorted(labels, key=_natural))}"))
    if _seconds(seconds) is None:
        faults.append(Fault("seconds", f"{seconds!r} is not a number of seconds from 0 to a day"))
    return faults


def annotator_name(text: str) -> bool:
    """Whether an annotator can be called that: one line, not blank, not too long."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_ANNOTATOR


def _natural(value: str) -> tuple[int, str]:
    return len(value), value


@lru_cache(maxsize=4096)
def _seconds(text: str) -> float | None:
    """The number; NaN where nothing was measured, None where it is no number of seconds."""
    if not text:
        return math.nan
    if not re.fullmatch(r"\d+(\.\d+)?([eE][-+]?\d{1,2})?", text):
        return None
    return float(text) if float(text) <= LONGEST_SECONDS else None
