"""A score file, read whole and checked whole: what each line says of its item or text. Free of Django."""

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.delimited import rows as rows_of
from corpus.errors import Fault, listing
from scoring.imported.reading import LABEL, LOGPROB, PLACEHOLDER, PROB, RANK, Reading, named_in

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
# Digits before the exponent that are not all 0: what is written is not 0.
NOT_ZERO = re.compile(r"[^eE]*[1-9]")
# How programs write that there is no number.
NO_NUMBER = {"", "none", "na", "nan", "null"}
# Published files part the final period from the last word, or leave it out.
FINAL = re.compile(r"\s*\.?\s*$")
# More than the largest studies need, and few enough for the memory of a web process.
MOST_LINES, MOST_CELLS = 500_000, 1_000
# Beyond these nobody reads on.
MOST_FAULTS, LONGEST_SHOWN = 1_000, 200
# More words than any vocabulary has.
MOST_RANK = 10_000_000
# The difference of two such numbers is still a number.
GREATEST = 1e300
# What a sum of log-probabilities may be above 0 by rounding.
ROUNDING = 1e-6


class ScoreFileError(ValueError):
    """A score file that was refused. `faults` has every reason, or the first MOST_FAULTS; str() lists them."""

    def __init__(self, name: str, faults: list[Fault]) -> None:
        self.faults = faults[:MOST_FAULTS]
        message = listing(Path(name), self.faults).replace("nothing was loaded", "nothing was imported")
        if len(self.faults) == MOST_FAULTS:
            message += f"\n  The first {MOST_FAULTS:,} faults are counted, and no more."
        super().__init__(message)


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


def shown(text: str) -> str:
    """A cell as a fault quotes it: a long one is cut."""
    return repr(_cut(text))


def read_scores(data: bytes, reading: Reading, *, name: str, labels: Sequence[str]) -> ScoreFile:
    """Every line; ScoreFileError with every fault. `labels` are those that the study's task type has."""
    if _count_lines(data) > MOST_LINES:
        raise ScoreFileError(name, [Fault("file", f"has more than {MOST_LINES:,} lines; part it in several")])
    faults: list[Fault] = []
    lines: dict[str, ScoreLine] = {}
    repeated = 0
    for number, found in _cells(data, reading):
        if len(faults) >= MOST_FAULTS:
            break
        if isinstance(found, Fault):
            faults.append(found.under(f"line {number}"))
            continue
        line, wrong = _line(number, found, reading, labels)
        before = lines.get(line.key)
        if before is not None:
            repeated += 1
            wrong += _contradiction(before, line, reading)
        lines.setdefault(line.key, line)
        faults += [fault.under(f"line {number}") for fault in wrong]
    if not faults and not lines:
        faults.append(Fault("file", "holds no lines"))
    if faults:
        raise ScoreFileError(name, faults)
    return ScoreFile(name, hashlib.sha256(data).hexdigest(), lines, repeated)


def _count_lines(data: bytes) -> int:
    """As the reader of the file counts them: a line ends in LF, CR or both."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def _contradiction(before: ScoreLine, line: ScoreLine, reading: Reading) -> list[Fault]:
    if (before.raw, before.label) == (line.raw, line.label):
        return []
    differs = f"{shown(line.key)} stands on line {before.line} with other values"
    return [Fault(reading.where(reading.key), differs)]


def header_of(data: bytes, *, delimiter: str) -> list[str]:
    """The cells of the first line; empty where it cannot be read, which read_scores says."""
    _, cells = next(rows_of(data, delimiter=delimiter), (1, []))
    return [] if isinstance(cells, Fault) else [cell.strip() for cell in cells]


def _cells(data: bytes, reading: Reading) -> Iterator[tuple[int, dict[str, str] | Fault]]:
    """Each line's cells under what they are; a Fault where it has none."""
    width = 0
    parts: dict[str, list[int | str]] = {}
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
            parts = {what: _parts(column, header, width) for what, column in reading.columns}
            if header:
                continue
        if len(cells) != width:
            yield line, Fault("", f"has {len(cells)} cells; the first line has {width}")
        else:
            yield line, {what: _joined(cells, of) for what, of in parts.items()}


def _misplaced(reading: Reading, header: Sequence[str], width: int) -> list[Fault]:
    """A fault for every column that is asked for and is not there."""
    if width > MOST_CELLS:
        return [Fault("", f"has {width:,} cells; {MOST_CELLS:,} are the most")]
    faults = []
    for what, column in reading.columns:
        for one in [column] if column in header else named_in(column):
            if header.count(one) > 1:
                faults.append(Fault(one, "is the name of two columns; give its number"))
            elif _place(one, header, width) is None:
                there = _cut(", ".join(header)) if header else f"1 to {width}"
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


def _parts(column: str, header: Sequence[str], width: int) -> list[int | str]:
    """What a cell is put together from: places on the line, and texts between them."""
    split = PLACEHOLDER.split(column)
    if column in header or len(split) == 1:
        split = ["", column, ""]
    parts: list[int | str] = []
    # Split by the pattern's one group, every second part is the name of a column.
    for number, part in enumerate(split):
        if number % 2:
            place = _place(part, header, width)
            assert place is not None, "columns were checked on the first line"
            parts.append(place)
        else:
            parts.append(part)
    return parts


def _joined(cells: Sequence[str], parts: Sequence[int | str]) -> str:
    return "".join(part if isinstance(part, str) else cells[part].strip() for part in parts)


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
                faults.append(Fault(reading.where(what), f"{shown(text)} is not one of {', '.join(labels)}"))
        elif text.casefold() in NO_NUMBER:
            values[what] = None
        elif fault := _number_fault(text, what.partition(".")[0], reading.ranks_from):
            faults.append(Fault(reading.where(what), f"{shown(text)} {fault}"))
        else:
            values[what] = _number(text, what.partition(".")[0], reading.ranks_from)
    raw = {what: cells[what] for what in reading.values}
    return ScoreLine(number, key, values, cells.get(LABEL) or None, raw), faults


def _number_fault(text: str, kind: str, ranks_from: int) -> str:
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return "is not a number"
    number = float(text)
    if number == 0 and NOT_ZERO.match(text):
        return "is too small for a number here"
    if kind == RANK and not (text.isdecimal() and ranks_from <= number < ranks_from + MOST_RANK):
        return f"is not a rank: a whole number from {ranks_from} to {ranks_from + MOST_RANK - 1:,}"
    if kind == PROB and not 0 < number <= 1:
        return "is not a probability above 0 and at most 1"
    if kind == LOGPROB and number > ROUNDING:
        return "is not a log-probability: it is above 0"
    if abs(number) > GREATEST:
        return f"is too great to be compared; numbers go from -{GREATEST:g} to {GREATEST:g}"
    return ""


def _number(text: str, kind: str, ranks_from: int) -> float:
    """Probabilities as their natural logarithm, ranks from 1: as everywhere in the house."""
    if kind == PROB:
        return math.log(float(text))
    return float(text) - ranks_from + 1 if kind == RANK else float(text)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
