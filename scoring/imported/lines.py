"""A score file, read whole and checked whole: what each line says of its item or text. Free of Django."""

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.delimited import rows as rows_of
from annotation.itemfile import listing
from annotation.tasktypes.contract import Fault
from scoring.imported.reading import LABEL, PLACEHOLDER, PROB, RANK, Reading

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
# How programs write that there is no number.
NO_NUMBER = {"", "none", "na", "nan", "null"}
# Published files part the final period from the last word, or leave it out.
FINAL = re.compile(r"\s*\.?\s*$")


class ScoreFileError(ValueError):
    """A score file that was refused. `faults` has every reason; str() lists them by line and column."""

    def __init__(self, name: str, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__(listing(Path(name), faults).replace("nothing was loaded", "nothing was imported"))


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What one line says. A value that is None was empty or `None`; `raw` is as it stood."""

    line: int
    key: str
    values: Mapping[str, float | None]
    label: str | None
    raw: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A file's lines by key. `repeated` lines said once more what a line before them had said."""

    name: str
    sha256: str
    lines: Mapping[str, ScoreLine]
    repeated: int


def bare(text: str) -> str:
    """A text as it is compared: white space is one space, and a final period does not count, nor space before it."""
    return FINAL.sub("", " ".join(text.split()))


def read_scores(data: bytes, reading: Reading, *, name: str, labels: Sequence[str]) -> ScoreFile:
    """Every line; ScoreFileError with every fault. `labels` are those that the study's task type has."""
    faults: list[Fault] = []
    lines: dict[str, ScoreLine] = {}
    repeated = 0
    for number, found in _cells(data, reading):
        if isinstance(found, Fault):
            faults.append(found.under(f"line {number}"))
            continue
        line, wrong = _line(number, found, reading, labels)
        before = lines.get(line.key)
        if before is not None:
            repeated += 1
            if (before.raw, before.label) != (line.raw, line.label):
                wrong.append(
                    Fault(reading.where(reading.key), f"{line.key!r} stands on line {before.line} with other values")
                )
        lines.setdefault(line.key, line)
        faults += [fault.under(f"line {number}") for fault in wrong]
    if not faults and not lines:
        faults.append(Fault("file", "holds no lines"))
    if faults:
        raise ScoreFileError(name, faults)
    return ScoreFile(name, hashlib.sha256(data).hexdigest(), lines, repeated)


def _cells(data: bytes, reading: Reading) -> Iterator[tuple[int, dict[str, str] | Fault]]:
    """Each line's cells under what they are; a Fault where it has none."""
    header: list[str] = []
    width = 0
    for line, cells in rows_of(data, delimiter=reading.delimiter):
        if isinstance(cells, Fault):
            yield line, cells
            continue
        if not width:
            width = len(cells)
            header = [cell.strip() for cell in cells] if reading.header else []
            wrong = _misplaced(reading, header, width)
            yield from ((line, fault) for fault in wrong)
            if wrong:
                return
            if header:
                continue
        if len(cells) != width:
            yield line, Fault("", f"has {len(cells)} cells; the first line has {width}")
        else:
            yield line, {what: _cell(cells, column, header) for what, column in reading.columns}


def _misplaced(reading: Reading, header: Sequence[str], width: int) -> list[Fault]:
    """A fault for every column that is asked for and is not there."""
    faults = []
    for what, column in reading.columns:
        for one in PLACEHOLDER.findall(column) or [column]:
            if header.count(one) > 1:
                faults.append(Fault(one, "is the name of two columns; give its number"))
            elif _place(one, header, width) is None:
                there = ", ".join(header) if header else f"1 to {width}"
                faults.append(Fault(one, f"is not there as a column (asked for as {what}); there are {there}"))
    return faults


def _place(column: str, header: Sequence[str], width: int) -> int | None:
    if column in header:
        return header.index(column)
    # Ten digits would be no column of any file.
    if not column.isascii() or not column.isdecimal() or len(column) > 9:
        return None
    place = int(column) - 1
    return place if 0 <= place < width else None


def _cell(cells: Sequence[str], column: str, header: Sequence[str]) -> str:
    def stripped(one: str) -> str:
        place = _place(one, header, len(cells))
        assert place is not None, "columns were checked on the first line"
        return cells[place].strip()

    if PLACEHOLDER.search(column) and column not in header:
        return PLACEHOLDER.sub(lambda found: stripped(found.group(1)), column)
    return stripped(column)


def _line(
    number: int, cells: Mapping[str, str], reading: Reading, labels: Sequence[str]
) -> tuple[ScoreLine, list[Fault]]:
    faults = []
    key = bare(cells[reading.key]) if reading.by == "text" else cells[reading.key]
    if not key:
        faults.append(Fault(reading.where(reading.key), "is empty"))
    values: dict[str, float | None] = {}
    for what in reading.values:
        text = cells[what]
        if what == LABEL:
            if text and text not in labels:
                faults.append(Fault(reading.where(what), f"{text!r} is not one of {', '.join(labels)}"))
        elif text.casefold() in NO_NUMBER:
            values[what] = None
        elif fault := _number_fault(text, what.partition(".")[0], reading.ranks_from):
            faults.append(Fault(reading.where(what), fault))
        else:
            values[what] = _number(text, what.partition(".")[0], reading.ranks_from)
    raw = {what: cells[what] for what in reading.values}
    return ScoreLine(number, key, values, cells.get(LABEL) or None, raw), faults


def _number_fault(text: str, kind: str, ranks_from: int) -> str:
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return f"{text!r} is not a number"
    if kind == RANK and (not text.isdecimal() or int(text) < ranks_from):
        return f"{text!r} is not a rank: a whole number from {ranks_from}"
    if kind == PROB and not 0 < float(text) <= 1:
        return f"{text!r} is not a probability above 0 and at most 1"
    return ""


def _number(text: str, kind: str, ranks_from: int) -> float:
    """Probabilities as their natural logarithm, ranks from 1: as everywhere in the house."""
    if kind == PROB:
        return math.log(float(text))
    return float(text) - ranks_from + 1 if kind == RANK else float(text)
