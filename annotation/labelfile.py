"""The label file: labels.csv, labels that people gave elsewhere. Read whole, checked whole, free of Django.

Columns are `item`, `annotator`, `label` and, where they are known, `seconds` and `repeat`, in any order. What a label
may be is the task type's affair. One annotator has one label for an item, or one for each number in `repeat`: the first
is the label, the others are kept for agreement with oneself. A file with any fault is refused with all.
"""

import csv
import hashlib
import json
import math
import re
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault, SourceError
from corpus.formats.reading import Records
from corpus.source_text import source_bytes
from corpus.tables.cells import cells, delimiter_of, header_of
from corpus.workplace import Told, counted, nobody

NAME = "labels.csv"
NEEDED = ("item", "annotator", "label")
FIELDS = (*NEEDED, "seconds", "repeat")
LONGEST_ANNOTATOR = 400
# A clock that ran for longer than a day says nothing about the item.
LONGEST_SECONDS = 86_400.0
# How often somebody may say the same again.
MOST_REPEATS = 1_000
# What is said while lines are counted.
READING = "reading the labels"


class LabelFileError(SourceError):
    """A label file that was refused."""


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label: whose, on what, which canonical value, and how long it took if that is known."""

    item: str
    annotator: str
    label: str
    seconds: float | None = None
    # The label's turn among those of this annotator on this item.
    repeat: int = 1


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
    repeats: Sequence[LabelRow] = ()
    incomplete: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.item_codes)

    @property
    def rows(self) -> list[LabelRow]:
        """The labels one by one, in the order of the file; those that repeat another are last."""
        columns = zip(self.item_codes, self.annotator_codes, self.label_codes, self.seconds, strict=True)
        return [
            LabelRow(self.items[item], self.annotators[who], self.labels[label], None if took != took else took)
            for item, who, label, took in columns
        ] + list(self.repeats)


def read_labels(
    path: Path,
    task: TaskType,
    items: Iterable[str],
    *,
    columns: Mapping[str, str] | None = None,
    skip_incomplete: bool = False,
    meanings: Mapping[str, str] | None = None,
    foreign: Records | None = None,
    told: Told = nobody,
) -> LabelFile:
    """Every label of the file; LabelFileError with every fault, by line. `items` are the ids that may be labeled.

    `columns` says which column is what, where they have other names (corpus/tables). With `skip_incomplete`, lines
    without an item, an annotator or a label are left out. `meanings` says what the file's words for labels are here,
    where they are not ours; `foreign` is what another tool's file says, read before; `told` hears how many lines are
    read.
    """
    if foreign is not None:
        sheet = _Sheet(task, items, skip_incomplete=skip_incomplete, where=foreign.where)
        said = _meant(_told_by(foreign, columns or {}), meanings or {}, task)
        sheet.take(counted(said, READING, of=len(foreign.rows), told=told))
        return _whole(sheet, path, foreign.sha256)
    data = source_bytes(path, refused=LabelFileError)
    return labels_in(
        data, path, task, items, columns=columns, skip_incomplete=skip_incomplete, meanings=meanings, told=told
    )


def labels_in(
    data: bytes,
    path: Path,
    task: TaskType,
    items: Iterable[str],
    *,
    columns: Mapping[str, str] | None = None,
    skip_incomplete: bool = False,
    meanings: Mapping[str, str] | None = None,
    told: Told = nobody,
) -> LabelFile:
    """The same of a file that was read: `path` is what it is called, and says by its ending what it is."""
    sheet = _Sheet(task, items, skip_incomplete=skip_incomplete)
    lines = _cells(data, path.name, columns or {})
    sheet.take(counted(_meant(lines, meanings) if meanings else lines, READING, of=data.count(b"\n"), told=told))
    return _whole(sheet, path, hashlib.sha256(data).hexdigest())


def _whole(sheet: "_Sheet", path: Path, sha256: str) -> LabelFile:
    if not sheet.faults and not sheet.lines:
        sheet.faults.append(Fault("file", "holds no labels"))
    if sheet.faults:
        raise LabelFileError(path, sheet.faults, incomplete=sheet.lacking)
    return sheet.file(path.name, sha256)


def as_json_lines(rows: Iterable[LabelRow]) -> bytes:
    """The rows as a label file of JSON lines, which has all fields on every line."""
    lines = (dict(zip(FIELDS, _written(row), strict=True)) for row in rows)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def label_faults(rows: Iterable[LabelRow], task: TaskType, items: Iterable[str]) -> list[Fault]:
    """What is wrong with labels that were made, by the line on which each would stand in a file of them."""
    sheet = _Sheet(task, items)
    sheet.take(enumerate(map(_written, rows), start=2))
    return sheet.faults


def write_labels(path: Path, rows: Iterable[LabelRow]) -> None:
    """Write a label file; the same rows give the same bytes. A column that need not be there is, if some row has it."""
    rows = list(rows)
    there = {"seconds": any(row.seconds is not None for row in rows), "repeat": any(row.repeat > 1 for row in rows)}
    places = [place for place, name in enumerate(FIELDS) if there.get(name, True)]
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(FIELDS[place] for place in places)
        writer.writerows([cells[place] for place in places] for cells in map(_written, rows))


def _written(row: LabelRow) -> list[str]:
    """The cells of a row, in the order of FIELDS."""
    seconds = "" if row.seconds is None else f"{row.seconds:g}"
    return [row.item, row.annotator, row.label, seconds, str(row.repeat) if row.repeat > 1 else ""]


class _Sheet:
    """Takes the lines of a file in. What is sound becomes codes at once: a million labels as objects fill gigabytes."""

    def __init__(
        self,
        task: TaskType,
        items: Iterable[str],
        *,
        skip_incomplete: bool = False,
        where: Callable[[int], str] = "line {}".format,
    ) -> None:
        self._where = where
        self.items = {name: code for code, name in enumerate(dict.fromkeys(items))}
        self.labels = {value: code for code, value in enumerate(task.scale.values)}
        self.annotators: dict[str, int] = {}
        self.faults: list[Fault] = []
        self.incomplete: list[str] = []
        self.lines, self.item_codes, self.annotator_codes = array("l"), array("l"), array("l")
        self.label_codes, self.seconds, self.turns = array("h"), array("d"), array("h")
        self._skips = skip_incomplete
        # Lines with a fault that could be left out for lacking something.
        self.lacking = 0
        # Labels that are there, those after a first, by pair and turn, and the lines of those with another fault.
        self._pairs: set[int] = set()
        self._again: dict[int, dict[int, tuple[int, float]]] = {}
        self._faulty: dict[tuple[str, str], int] = {}
        self._looked: dict[int, int] = {}

    def take(self, lines: Iterable[tuple[int, list[str] | Fault]]) -> None:
        """Lines with their number: the cells in the order of FIELDS; or what is wrong with the line."""
        items, labels, annotators, pairs = self.items, self.labels, self.annotators, self._pairs
        for line, found in lines:
            if isinstance(found, Fault):
                self.faults.append(found.under(self._where(line)))
                continue
            name, who, label, took, again = found
            if self._skips and not (name and who.strip() and label):
                self.incomplete.append(self._where(line).removeprefix("line "))
                continue
            item, annotator, code, seconds = items.get(name), annotators.get(who), labels.get(label), _seconds(took)
            turn = _turn(again)
            if annotator is None and annotator_name(who):
                annotator = annotators[who] = len(annotators)
            if item is None or annotator is None or code is None or seconds is None or turn is None:
                self.lacking += not (name and who.strip() and label)
                self.faults += [fault.under(self._where(line)) for fault in _faults(found, self.items, self.labels)]
                self._faulty.setdefault((name, who), line)
                continue
            pair = annotator * len(items) + item
            if pair in pairs or (self._faulty and (name, who) in self._faulty):
                self._take_again(line, (name, who), turn, (code, seconds))
                continue
            pairs.add(pair)
            self.lines.append(line)
            self.item_codes.append(item)
            self.annotator_codes.append(annotator)
            self.label_codes.append(code)
            self.seconds.append(seconds)
            self.turns.append(turn)

    def file(self, name: str, sha256: str) -> LabelFile:
        repeats = self._repeats()
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
            repeats=repeats,
            incomplete=tuple(self.incomplete),
        )

    def _take_again(self, line: int, names: tuple[str, str], turn: int, label: tuple[int, float]) -> None:
        """A further label of an annotator on an item, if the file says which it is; else a fault."""
        pair = self.annotators[names[1]] * len(self.items) + self.items[names[0]]
        row = self._row_of(pair)
        kept = self._again.get(pair, {})
        if row is None or turn == self.turns[row] or turn in kept:
            self._repeated(line, names, row)
        else:
            self._again.setdefault(pair, {})[turn] = label

    def _row_of(self, pair: int) -> int | None:
        """Where its first line stands among those taken. Looked for only where something is repeated, in one go."""
        for number in range(len(self._looked), len(self.lines)):
            self._looked[self.annotator_codes[number] * len(self.items) + self.item_codes[number]] = number
        return self._looked.get(pair)

    def _repeats(self) -> tuple[LabelRow, ...]:
        """The labels after each first; of those that the file has in another order, the first takes its place."""
        found = []
        items, annotators, labels = list(self.items), list(self.annotators), list(self.labels)
        for pair, given in self._again.items():
            row = self._row_of(pair)
            assert row is not None, "a label that is repeated has been taken"
            given = {**given, self.turns[row]: (self.label_codes[row], self.seconds[row])}
            first = min(given)
            self.label_codes[row], self.seconds[row] = given.pop(first)
            self.turns[row] = first
            who, item = divmod(pair, len(items))
            for turn in sorted(given):
                code, took = given[turn]
                seconds = None if took != took else took
                found.append(LabelRow(items[item], annotators[who], labels[code], seconds, turn))
        return tuple(found)

    def _repeated(self, line: int, names: tuple[str, str], row: int | None) -> None:
        lines = [None if row is None else self.lines[row], self._faulty.get(names)]
        earliest = min(one for one in lines if one is not None)
        message = f"{names[1]!r} labeled {names[0]!r} already on {self._where(earliest)}"
        which = "a column `repeat` can say which is which"
        self.faults.append(Fault(f"{self._where(line)}.item, annotator", f"{message}; {which}"))


def _faults(cells: Sequence[str], items: Container[str], labels: Iterable[str]) -> list[Fault]:
    item, annotator, label, seconds, again = cells
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
    if _turn(again) is None:
        faults.append(Fault("repeat", f"{again!r} is not a whole number from 1 to {MOST_REPEATS:,}"))
    return faults


def _cells(data: bytes, name: str, columns: Mapping[str, str]) -> Iterator[tuple[int, list[str] | Fault]]:
    """Each line's cells in the order of FIELDS, with the line it begins on; a Fault where it has none.

    Columns that nothing is said of have their own names; a file without a map has no others.
    """
    delimiter = delimiter_of(data, name)
    header = header_of(data, delimiter=delimiter)
    if wrong := _header_faults(header, columns):
        yield from ((1, fault) for fault in wrong)
        return
    own = {field: field for field in FIELDS if field in header or field in NEEDED}
    read = own | dict(columns)
    for line, found in cells(data, read, delimiter=delimiter):
        yield line, found if isinstance(found, Fault) else [found.get(field, "") for field in FIELDS]


def _told_by(foreign: Records, columns: Mapping[str, str]) -> Iterator[tuple[int, list[str] | Fault]]:
    """Each record's number and its cells in the order of FIELDS."""
    if wrong := _unmappable(columns):
        yield from ((1, fault) for fault in wrong)
        return
    own = {field: field for field in FIELDS if field in foreign.names or field in NEEDED}
    for number, found in foreign.cells(own | dict(columns)):
        yield number, found if isinstance(found, Fault) else [found.get(field, "") for field in FIELDS]


def _meant(
    lines: Iterable[tuple[int, list[str] | Fault]], meanings: Mapping[str, str], task: TaskType | None = None
) -> Iterator[tuple[int, list[str] | Fault]]:
    """The same with our labels for the file's words: what was said of them, else what they say in the task's scale."""
    label = FIELDS.index("label")
    for line, found in lines:
        if not isinstance(found, Fault):
            said = meanings.get(found[label], found[label])
            found[label] = said if task is None or said in task.scale.values else task.scale.meant(said) or said
        yield line, found


def _header_faults(header: list[str], columns: Mapping[str, str]) -> list[Fault]:
    known = f"known are {', '.join(FIELDS)}"
    faults = _unmappable(columns)
    if not header or columns:
        return faults
    faults += [Fault(name, "is missing as a column") for name in NEEDED if name not in header]
    faults += [Fault(name, f"is not known as a column; {known}") for name in header if name not in FIELDS]
    return faults + [Fault(name, "is given twice") for name in FIELDS if header.count(name) > 1]


def _unmappable(columns: Mapping[str, str]) -> list[Fault]:
    known = f"known are {', '.join(FIELDS)}"
    return [Fault(what, f"cannot be mapped; {known}") for what in columns if what not in FIELDS]


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


def _turn(text: str) -> int | None:
    """Which of somebody's labels on an item it is; 1 where nothing is said, None where it is no such number."""
    if not text:
        return 1
    return int(text) if len(text) <= 4 and text.isdecimal() and 1 <= int(text) <= MOST_REPEATS else None
