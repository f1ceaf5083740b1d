"""The label file: labels.csv, labels that people gave elsewhere. Read whole, checked whole, free of Django.

Columns are `item`, `annotator`, `label` and, where they are known, `seconds` and `repeat`, in any order. What a label
may be is the task type's affair. One annotator has one label for an item, or one for each number in `repeat`: the first
is the label, the others are kept for agreement with oneself. A file with any fault is refused with all.
"""

import csv
import hashlib
import io
import json
import math
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from annotation.elsewhere.lines import AS_IT_IS, FIELDS, FileLabels, Lines, ReadOptions, of_records, of_table
from annotation.elsewhere.names import LONGEST_ANNOTATOR, Ids, annotator_name, mixed_forms
from annotation.tasktypes.contract import Scale, TaskType
from corpus.bounds import MOST_FAULTS
from corpus.decimals import decimal
from corpus.errors import Fault, Remark, SourceError
from corpus.source_text import source_bytes
from corpus.tables.columns import in_json, part_of
from corpus.tables.opening import How, Unreadable
from corpus.tables.registry import opened
from corpus.workplace import OnProgress, no_progress, with_progress

NAME = "labels.csv"
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
    unknown: Sequence[str] = ()
    remarks: Sequence[Remark] = ()
    # The study that an own export of judgments names.
    exported_of: str = ""

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
    path: Path, task: TaskType, items: Iterable[str], asked: ReadOptions = AS_IT_IS, *, told: OnProgress = no_progress
) -> LabelFile:
    """Every label of the file; LabelFileError with its faults, by line. `items` are the ids that may be labeled.

    `told` hears how many lines are read.
    """
    if asked.foreign is not None:
        said = of_records(asked.foreign, asked, task.scale)
        return _taken(said, task, items, path, asked.foreign.sha256, asked, told=told)
    return labels_in(source_bytes(path, refused=LabelFileError), path, task, items, asked, told=told)


def labels_in(
    data: bytes,
    path: Path,
    task: TaskType,
    items: Iterable[str],
    asked: ReadOptions = AS_IT_IS,
    *,
    told: OnProgress = no_progress,
) -> LabelFile:
    """Read labels from the bytes of a file; the ending of its name, `path`, says its format."""
    try:
        table = opened(data, path.name, How(sheet=asked.sheet, encoding=asked.encoding))
    except Unreadable as error:
        raise LabelFileError(path, [error.fault]) from None
    said = of_table(table, asked, task.scale, count=data.count(b"\n"))
    return _taken(said, task, items, path, hashlib.sha256(data).hexdigest(), asked, told=told)


def _taken(
    said: FileLabels,
    task: TaskType,
    items: Iterable[str],
    path: Path,
    sha256: str,
    asked: ReadOptions,
    *,
    told: OnProgress,
) -> LabelFile:
    sheet = _Sheet(task, items, asked=asked, may_repeat=said.may_repeat, is_wide=said.is_wide, where=said.where)
    sheet.take(with_progress(said.lines, READING, of=said.count, on_progress=told))
    if not sheet.faults and not sheet.lines:
        sheet.faults.append(Fault("file", "holds no labels"))
    if sheet.faults:
        faults = [fault.by_column(said.columns) for fault in sheet.faults]
        refused = LabelFileError(path, faults, incomplete=sheet.lacking)
        refused.remarks = said.remarks
        raise refused
    return replace(sheet.file(path.name, sha256, said.remarks), exported_of=said.exported_of)


def as_json_lines(rows: Iterable[LabelRow]) -> bytes:
    """The rows as a label file of JSON lines, which has all fields on every line."""
    lines = (dict(zip(FIELDS, _written(row), strict=True)) for row in rows)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def label_faults(rows: Iterable[LabelRow], task: TaskType, items: Iterable[str]) -> list[Fault]:
    """What is wrong with labels that were made, by the line on which each would stand in a file of them."""
    sheet = _Sheet(task, items)
    sheet.take(enumerate(map(_written, rows), start=2))
    return sheet.faults


def as_csv(rows: Sequence[LabelRow]) -> bytes:
    """A label file; the same rows give the same bytes. A column that need not be there is, if some row has it."""
    there = {"seconds": any(row.seconds is not None for row in rows), "repeat": any(row.repeat > 1 for row in rows)}
    places = [place for place, name in enumerate(FIELDS) if there.get(name, True)]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS[place] for place in places)
    writer.writerows([cells[place] for place in places] for cells in map(_written, rows))
    return text.getvalue().encode()


def write_labels(path: Path, rows: Iterable[LabelRow]) -> None:
    path.write_bytes(as_csv(list(rows)))


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
        asked: ReadOptions = AS_IT_IS,
        may_repeat: bool = False,
        is_wide: bool = False,
        where: Callable[[int], str] = "line {}".format,
    ) -> None:
        self._is_wide = is_wide
        self._where, self._scale, self._may_repeat = where, task.scale, may_repeat
        self.items = {name: code for code, name in enumerate(dict.fromkeys(items))}
        self._ids = Ids(self.items.keys())
        self.labels = {value: code for code, value in enumerate(task.scale.values)}
        self.annotators: dict[str, int] = {}
        self.faults: list[Fault] = []
        # Places of lines that are left out: for lacking something, and for an item that the study does not have.
        self.incomplete: list[str] = []
        self.unknown: list[str] = []
        self.lines, self.item_codes, self.annotator_codes = array("l"), array("l"), array("l")
        self.label_codes, self.seconds, self.turns = array("h"), array("d"), array("h")
        self._asked = asked
        # Lines with a fault that could be left out for lacking something.
        self.lacking = 0
        # Labels that are there, those after a first, by pair and turn, and the lines of those with another fault.
        self._pairs: set[int] = set()
        self._again: dict[int, dict[int, tuple[int, float]]] = {}
        self._faulty: dict[tuple[str, str], int] = {}
        self._looked: dict[int, int] = {}

    def take(self, lines: Lines) -> None:
        """Lines with their number: the cells in the order of FIELDS; or what is wrong with the line."""
        items, labels, annotators, pairs = self.items, self.labels, self.annotators, self._pairs
        for line, found in lines:
            if len(self.faults) >= MOST_FAULTS:
                break
            if isinstance(found, Fault):
                self.faults.append(found.under(self._where(line)))
                continue
            name, who, label, took, again = found
            if name not in items:
                name = found[0] = self._ids.known(name)
            if (left_out := self._leaves_out(name, who, label)) is not None:
                left_out.append(self._where(line).removeprefix("line "))
                continue
            item, annotator, code, seconds = items.get(name), annotators.get(who), labels.get(label), _seconds(took)
            turn = _turn(again)
            if annotator is None and annotator_name(who):
                annotator = annotators[who] = len(annotators)
            if item is None or annotator is None or code is None or seconds is None or turn is None:
                self.lacking += not (name and who.strip() and label)
                self.faults += [self._placed(fault, line, who) for fault in _faults(found, self.items, self._scale)]
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

    def _placed(self, fault: Fault, line: int, who: str) -> Fault:
        """Where each annotator has a column, their label stands in it."""
        of_them = self._is_wide and fault.field == "label"
        return (Fault(f"label (column {who})", fault.message) if of_them else fault).under(self._where(line))

    def _leaves_out(self, name: str, who: str, label: str) -> list[str] | None:
        """Among which a line is left out; None where it is taken in, or has a fault."""
        if self._asked.skip_incomplete and not (name and who.strip() and label):
            return self.incomplete
        return self.unknown if self._asked.skip_unknown and name and name not in self.items else None

    def file(self, name: str, sha256: str, remarks: Sequence[Remark]) -> LabelFile:
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
            unknown=tuple(self.unknown),
            remarks=(*remarks, *self._remarks()),
        )

    def _remarks(self) -> Iterator[Remark]:
        yield from self._ids.remarks()
        yield from mixed_forms(self.annotators)
        if self._may_repeat and self._again:
            many = sum(map(len, self._again.values()))
            labels = "1 label repeats" if many == 1 else f"{many:,} labels repeat"
            first = "the first of each counts; the others are kept for self-agreement"
            yield Remark("", f"{labels} an earlier one of the same annotator on the item; {first}")

    def _take_again(self, line: int, names: tuple[str, str], turn: int, label: tuple[int, float]) -> None:
        """A further label of an annotator on an item, if the file says which it is; else a fault."""
        pair = self.annotators[names[1]] * len(self.items) + self.items[names[0]]
        row = self._row_of(pair)
        kept = self._again.get(pair, {})
        if self._may_repeat and row is not None:
            turn = self.turns[row] + len(kept) + 1
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
        message = f"{names[1]!r} already labeled {names[0]!r} on {self._where(earliest)}"
        which = "add a column `repeat` to number the labels"
        self.faults.append(Fault(f"{self._where(line)}.item, annotator", f"{message}; {which}"))


def _faults(cells: Sequence[str], items: Container[str], scale: Scale) -> list[Fault]:
    item, annotator, label, seconds, again = cells
    faults = []
    if item not in items:
        faults.append(Fault("item", f"there is no item {item!r} that can be labeled"))
    if not annotator_name(annotator):
        faults.append(Fault("annotator", f"must be a name of at most {LONGEST_ANNOTATOR} characters on one line"))
    if not label:
        faults.append(Fault("label", "is empty; leave out rows without a label"))
    elif len(several := scale.meanings(label)) > 1:
        faults.append(Fault("label", f"{label!r} could be {' or '.join(several)}; specify it with --labels"))
    elif label not in scale.values:
        known = ", ".join(sorted(scale.values, key=lambda value: (len(value), value)))
        way_on = (
            f'--labels="{label}=LABEL" says what it means; to leave it out, use --labels="{label}=" --skip-incomplete'
        )
        if isinstance(inside := in_json(label), list | dict):
            way_on = f"it is JSON: name the part that is the label, such as --map label={part_of(inside, 'COLUMN')}"
        faults.append(Fault("label", f"{label!r} is not one of {known} (annotator {annotator}; {way_on})"))
    if _seconds(seconds) is None:
        faults.append(Fault("seconds", f"{seconds!r} is not a number of seconds from 0 to a day"))
    if _turn(again) is None:
        faults.append(Fault("repeat", f"{again!r} is not a whole number from 1 to {MOST_REPEATS:,}"))
    return faults


@lru_cache(maxsize=4096)
def _seconds(text: str) -> float | None:
    """The number; NaN where nothing was measured, None where it is no number of seconds."""
    if not text:
        return math.nan
    seconds = decimal(text)
    return seconds if 0 <= seconds <= LONGEST_SECONDS else None


def _turn(text: str) -> int | None:
    """Which of somebody's labels on an item it is; 1 where nothing is said, None where it is no such number."""
    if not text:
        return 1
    return int(text) if len(text) <= 4 and text.isdecimal() and 1 <= int(text) <= MOST_REPEATS else None
