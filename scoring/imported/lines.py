"""A score file, read whole and checked whole: what each line says of its item or text. Free of Django."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import Fault, listing
from corpus.tables.cells import cells as cells_of
from corpus.tables.cells import cut
from scoring.imported.numbers import NO_NUMBER, number_fault, number_of, words_of
from scoring.imported.reading import LABEL, LOGPROB, PROB, TOP, Reading, kind_of

# Published files part the final period from the last word, or leave it out.
FINAL = re.compile(r"\s*\.?\s*$")
# More than the largest studies need, and few enough for the memory of a web process.
MOST_LINES = 500_000
# What the most probable words look like, by what they are measured in.
EXAMPLES = {PROB: '[["not", 0.35]]', LOGPROB: '[["not", -1.05]]'}
# Beyond these nobody reads on.
MOST_FAULTS = 1_000


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
    """What one line says. A value that is None was empty or `None`; `raw` is as it stood.

    `top` are the most probable words with their log-probabilities (natural).
    """

    line: int
    key: str
    values: Mapping[str, float | None]
    label: str | None
    raw: Mapping[str, str]
    top: tuple[tuple[str, float], ...] = ()


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
    return repr(cut(text))


def read_scores(data: bytes, reading: Reading, *, name: str, labels: Sequence[str]) -> ScoreFile:
    """Every line; ScoreFileError with every fault. `labels` are those that the study's task type has."""
    if _count_lines(data) > MOST_LINES:
        raise ScoreFileError(name, [Fault("file", f"has more than {MOST_LINES:,} lines; part it in several")])
    faults: list[Fault] = []
    lines: dict[str, ScoreLine] = {}
    repeated = 0
    for number, found in cells_of(data, dict(reading.columns), delimiter=reading.delimiter, header=reading.header):
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


def _line(
    number: int, cells: Mapping[str, str], reading: Reading, labels: Sequence[str]
) -> tuple[ScoreLine, list[Fault]]:
    faults = []
    key = bare(cells[reading.key]) if reading.by == "text" else cells[reading.key]
    if not key:
        faults.append(Fault(reading.where(reading.key), "is empty"))
    values: dict[str, float | None] = {}
    top: tuple[tuple[str, float], ...] = ()
    for what in reading.values:
        text, kind = cells[what], kind_of(what)
        if what == LABEL:
            if text and text not in labels:
                faults.append(Fault(reading.where(what), f"{shown(text)} is not one of {', '.join(labels)}"))
        elif what == TOP:
            words = words_of(text, reading.measured) if text else ()
            if words is None:
                wrong = f"{shown(text)} is not a JSON list of words and numbers, such as {EXAMPLES[reading.measured]}"
                faults.append(Fault(reading.where(what), wrong))
            top = words or ()
        elif text.casefold() in NO_NUMBER:
            values[what] = None
        elif fault := number_fault(text, kind, reading.ranks_from):
            faults.append(Fault(reading.where(what), f"{shown(text)} {fault}"))
        else:
            values[what] = number_of(text, kind, reading.ranks_from)
    raw = {what: cells[what] for what in reading.values}
    return ScoreLine(number, key, values, cells.get(LABEL) or None, raw, top), faults
