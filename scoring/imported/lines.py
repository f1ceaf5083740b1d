"""A score file, read whole and checked whole: what each line says of its item or text. Free of Django.

A cell is a number, a rank, or the most probable words; or why it is none."""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.bounds import MOST_FAULTS
from corpus.decimals import plain_number, says_nothing
from corpus.errors import Fault, listing
from corpus.formats.reading import Records
from corpus.formats.registry import TABLE
from corpus.tables.cells import cells_of, shortened
from corpus.tables.opening import How, OpenedTable, Unreadable
from corpus.tables.registry import opened
from corpus.workplace import OnProgress, no_progress, with_progress
from scoring.imported.reading import LABEL, LOGPROB, NOTE, OPTIONS, PROB, RANK, SCORE, TOP, Reading, kind_of

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
COMMA = re.compile(r"^([+-]?\d+),(\d+)$")
POINTED = (SCORE, LOGPROB, PROB)
# Digits before the exponent that are not all 0: what is written is not 0.
NOT_ZERO = re.compile(r"[^eE]*[1-9]")
# What a program writes of a number that it could not hold; such an item is unscored.
UNSOUND = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
# More words than any vocabulary has.
MOST_RANK = 10_000_000
# The difference of two such numbers is still a number.
GREATEST = 1e300
# What a sum of log-probabilities may be above 0 by rounding.
ROUNDING = 1e-6
# As many as a page shows, and as many as our own runs keep.
MOST_WORDS = 10

# Published files part the final period from the last word, or leave it out.
FINAL = re.compile(r"\s*\.?\s*$")
# Columns of this name hold what is better the lower it is.
COST = re.compile(
    r"surprisal|surprise|perplex|überrasch|entrop|(?<![^\W_])(?:ppl|nll|loss|cost|kosten|verlust)(?![^\W_])",
    re.IGNORECASE,
)
# More than the largest studies need, and few enough for the memory of a web process.
MOST_LINES = 500_000
# What the most probable words look like, by what they are measured in.
EXAMPLES = {PROB: '[["not", 0.35]]', LOGPROB: '[["not", -1.05]]'}


def is_no_number(text: str, kind: str) -> bool:
    """Whether a cell says that there is no number, or has one that is infinite: of probabilities also 0."""
    if says_nothing(text) or UNSOUND.fullmatch(text):
        return True
    return NUMBER.fullmatch(text) is not None and (math.isinf(float(text)) or (kind == PROB and _is_zero(text)))


def _is_zero(text: str) -> bool:
    return float(text) == 0 and not NOT_ZERO.match(text)


def number_fault(text: str, kind: str, ranks_from: int) -> str:
    """What is wrong with a cell, as the end of a sentence; empty if it is a number of that kind."""
    if not NUMBER.fullmatch(text):
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
        return f"is too large to compare; the range is -{GREATEST:g} to {GREATEST:g}"
    return ""


def number_of(text: str, kind: str, ranks_from: int) -> float:
    """Probabilities as their natural logarithm, ranks from 1: as everywhere in the house."""
    if kind == PROB:
        return math.log(float(text))
    return float(text) - ranks_from + 1 if kind == RANK else float(text)


def words_of(text: str, kind: str) -> tuple[tuple[str, float], ...] | None:
    """The first MOST_WORDS of a JSON list of `[word, number]`, with natural logarithms; None where it is no such list.

    `kind` says whether the numbers are prob or logprob.
    """
    pairs = pairs_of(text, kind)
    if pairs is None or any(number is None for _, number in pairs):
        return None
    return tuple((word, number) for word, number in pairs if number is not None)[:MOST_WORDS]


def pairs_of(text: str, kind: str) -> tuple[tuple[str, float | None], ...] | None:
    """All of such a list; a number is None where there is none, or an infinite one."""
    try:
        pairs = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, list) or not all(_is_pair(pair, kind) for pair in pairs):
        return None
    return tuple((word, _logarithm(number, kind)) for word, number in pairs)


def _logarithm(number: float | None, kind: str) -> float | None:
    if number is None or is_no_number(repr(number), kind):
        return None
    return math.log(number) if kind == PROB else number


def _is_pair(pair: Any, kind: str) -> bool:
    match pair:
        case [str(), None]:
            return True
        case [str(), float() | int() as number] if not isinstance(number, bool):
            return is_no_number(repr(number), kind) or not number_fault(repr(number), kind, 1)
    return False


class ScoreFileError(ValueError):
    """A score file that was refused. `faults` has every reason, or the first MOST_FAULTS; str() lists them."""

    def __init__(self, name: str, faults: list[Fault]) -> None:
        self.faults = faults[:MOST_FAULTS]
        message = listing(Path(name), self.faults).replace("nothing was loaded", "nothing was imported")
        if len(self.faults) == MOST_FAULTS:
            message += f"\n  The first {MOST_FAULTS:,} problems are counted."
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What one line says. A value that is None was empty or `None`; `raw` is as it stood.

    `top` are the most probable words with their log-probabilities (natural), `told` the options' texts with theirs.
    """

    where: str
    key: str
    values: Mapping[str, float | None]
    label: str | None
    raw: Mapping[str, str]
    top: tuple[tuple[str, float], ...] = ()
    told: tuple[tuple[str, float | None], ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether there is an answer, or any number."""
        numbers = any(value is not None for value in self.values.values())
        return bool(numbers or self.label or self.other_answer or self.told)

    @property
    def other_answer(self) -> str:
        """What was answered and is no label; empty where there is a label, or no answer."""
        return "" if self.label else self.raw.get(LABEL, "")


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A file's lines by key. `repeated` lines said once more what a line before them had said."""

    name: str
    sha256: str
    lines: Mapping[str, ScoreLine]
    repeated: int
    remarks: tuple[str, ...] = ()


def bare(text: str) -> str:
    """A text as it is compared: white space is one space, and a final period does not count, nor space before it."""
    return FINAL.sub("", " ".join(text.split()))


def quoted_cell(text: str) -> str:
    """A cell as a fault quotes it: a long one is cut."""
    return repr(shortened(text))


def read_scores(
    data: bytes | Records,
    reading: Reading,
    *,
    name: str,
    labels: Sequence[str],
    meanings: Callable[[str], Sequence[str]] | None = None,
    on_progress: OnProgress = no_progress,
) -> ScoreFile:
    """Every line; ScoreFileError with every fault. `labels` are those that the study's task type has.

    `meanings` tells which of them a file's words may stand for; without it they are ours to the letter. `on_progress`
    is called with how many lines have been read.
    """
    count = len(data.rows) if isinstance(data, Records) else _count_lines(data)
    if isinstance(data, bytes) and count > MOST_LINES:
        raise ScoreFileError(name, [Fault("file", f"has more than {MOST_LINES:,} lines; split it into several files")])
    table = open_table(data, name, reading.how) if isinstance(data, bytes) else data
    faults: list[Fault] = []
    lines: dict[str, ScoreLine] = {}
    repeated = 0
    taker = _Taker(reading, labels, meanings, may_be_others=reading.format not in ("", TABLE))
    for where, cells in with_progress(_cells(table, reading), "reading the lines", of=count, on_progress=on_progress):
        if len(faults) >= MOST_FAULTS:
            break
        if isinstance(cells, Fault):
            faults.append(cells.under(where))
            continue
        line, wrong = taker.line(where, cells)
        before = lines.get(line.key)
        if before is not None:
            repeated += 1
            wrong += _contradiction(before, line, reading)
        lines.setdefault(line.key, line)
        faults += [fault.under(where) for fault in wrong]
    if not faults:
        faults += _nothing_said(lines, data)
    if faults:
        raise ScoreFileError(name, faults)
    sha256 = data.sha256 if isinstance(data, Records) else hashlib.sha256(data).hexdigest()
    return ScoreFile(name, sha256, lines, repeated, tuple(_remarks(table, reading, lines, taker)))


def open_table(data: bytes, name: str, how: How) -> OpenedTable:
    """The table in a file's bytes; ScoreFileError."""
    try:
        return opened(data, name, how)
    except Unreadable as error:
        raise ScoreFileError(name, [error.fault]) from None


def _cells(data: OpenedTable | Records, reading: Reading) -> Iterator[tuple[str, dict[str, str] | Fault]]:
    """Each line's place in words, and its cells."""
    columns = dict(reading.columns)
    if isinstance(data, Records):
        for number, cells in data.cells(columns):
            yield data.where(number), cells
        return
    numbers = [what for what in columns if kind_of(what) in POINTED]
    has_commas = data.delimiter == ";"
    signs: dict[str, str] = {}
    for number, cells in cells_of(data, columns):
        if not isinstance(cells, Fault):
            cells = _pointed(cells, numbers, signs) if has_commas else cells | _plain(cells, numbers)
        yield data.where(number), cells


def _plain(cells: Mapping[str, str], numbers: Sequence[str]) -> dict[str, str]:
    """Numbers with a comma that are not `1,000`, which may be a thousand."""
    return {what: plain_number(cells[what]) for what in numbers if "," in cells[what]}


def _pointed(cells: dict[str, str], numbers: Sequence[str], signs: dict[str, str]) -> dict[str, str] | Fault:
    """Where semicolons separate cells, a comma is a point. `signs`: the sign of each column so far, which stays."""
    for what in numbers:
        sign = "," if COMMA.match(cells[what]) else "." if "." in cells[what] else ""
        if sign and signs.setdefault(what, sign) != sign:
            return Fault(what, f"{quoted_cell(cells[what])}: this column has numbers with a comma and with a point")
    return cells | {what: COMMA.sub(r"\1.\2", cells[what]) for what in numbers}


def ended_badly(data: bytes | Records) -> str:
    """What a file says of an evaluation that did not end with success; empty where it did, or where nothing is said."""
    status = data.says.get("status", "") if isinstance(data, Records) else ""
    return f"the file says that its evaluation ended with the status {quoted_cell(status)}" if status else ""


def _nothing_said(lines: Mapping[str, ScoreLine], data: bytes | Records) -> list[Fault]:
    """A fault where no line says anything."""
    if not lines:
        return [Fault("file", "holds no lines")]
    if any(line.says_something for line in lines.values()):
        return []
    what, noticed = ("records", data.remarks) if isinstance(data, Records) else ("lines", ())
    why = "; ".join(filter(None, (f"in any of its {len(lines):,} {what}", ended_badly(data), *noticed)))
    return [Fault("file", f"holds no answer and no score {why}")]


def _count_lines(data: bytes) -> int:
    """As the reader of the file counts them: a line ends in LF, CR or both."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def _contradiction(before: ScoreLine, line: ScoreLine, reading: Reading) -> list[Fault]:
    if (before.raw, before.label) == (line.raw, line.label):
        return []
    differs = f"{quoted_cell(line.key)} is also on {before.where} with different values"
    if reading.format:
        # A tool may write an item once for each filter or epoch.
        differs += "; --only reads some of the records"
    return [Fault(reading.where(reading.key), differs)]


def _remarks(
    table: OpenedTable | Records, reading: Reading, lines: Mapping[str, ScoreLine], taker: "_Taker"
) -> Iterator[str]:
    """What was noticed and is no fault, in sentences."""
    yield from map(str, table.remarks)
    if reading.is_guessed:
        read = [f"{quoted_cell(column)} as the {what}" for what, column in reading.columns if what != column]
        yield f"no columns were mapped, so these were read: {', '.join(read)}"
    unused = [word for word, _ in reading.meanings if word not in taker.used]
    if unused:
        yield f"--labels maps {', '.join(map(quoted_cell, unused))}, but no label in the file has this value"
    if OPTIONS in reading.values and any(_differ_in_length(line) for line in lines.values()):
        yield (
            "decided by log-probability per character, as lm-eval’s acc_norm"
            if reading.length_normalized
            else "decided by the sum of log-probabilities, as lm-eval’s acc; use --length-normalized for acc_norm"
        )
    if reading.lower_is_better or reading.sign_is_known or SCORE not in reading.kinds:
        return
    cost_column = next(
        (column for what, column in reading.columns if kind_of(what) == SCORE and COST.search(column)), ""
    )
    values = [value for line in lines.values() for value in line.values.values() if value is not None]
    is_of_texts = reading.by == "text" or bool(reading.options)
    to_do = "if lower is better, remove this run and import the file with --lower-is-better"
    if cost_column:
        yield f"the column {quoted_cell(cost_column)} is read as a score where higher is better; {to_do}"
    elif is_of_texts and values and min(values) > 0:
        yield f"all scores are above 0, so they are not log-probabilities; {to_do}"


def _differ_in_length(line: ScoreLine) -> bool:
    return len({len(text.strip()) for text, _ in line.told}) > 1


@dataclass(frozen=True)
class _Taker:
    """Takes cells for what they are. `may_be_others`: an answer that is no label is no fault. `used`: words that were
    said to mean a label, and were there.
    """

    reading: Reading
    labels: Sequence[str]
    meanings: Callable[[str], Sequence[str]] | None
    may_be_others: bool
    used: set[str] = field(default_factory=set)

    def line(self, where: str, cells: Mapping[str, str]) -> tuple[ScoreLine, list[Fault]]:
        reading = self.reading
        faults = []
        key = bare(cells[reading.key]) if reading.by == "text" else cells[reading.key]
        if not key:
            faults.append(Fault(reading.where(reading.key), "is empty"))
        values: dict[str, float | None] = {}
        pairs: dict[str, Any] = {}
        label, wrong = self._label(cells.get(LABEL, ""))
        faults += [Fault(reading.where(LABEL), wrong)] if wrong else []
        for what in reading.values:
            text, kind = cells[what], kind_of(what)
            if what in (LABEL, NOTE):
                continue
            if what in (TOP, OPTIONS):
                pairs[what], wrong = self._pairs(what, text)
                faults += [Fault(reading.where(what), wrong)] if wrong else []
            elif is_no_number(text, kind):
                values[what] = None
            elif fault := number_fault(text, kind, reading.ranks_from):
                faults.append(Fault(reading.where(what), f"{quoted_cell(text)} {fault}"))
            else:
                values[what] = number_of(text, kind, reading.ranks_from)
        raw = {what: cells[what] for what in reading.values}
        if says_nothing(raw.get(LABEL, "")) and label is None and LABEL in raw:
            raw[LABEL] = ""
        return ScoreLine(where, key, values, label, raw, pairs.get(TOP, ()), pairs.get(OPTIONS, ())), faults

    def _label(self, text: str) -> tuple[str | None, str]:
        """The label that a text is, or is said to mean, or None; and what is wrong with it."""
        meanings = dict(self.reading.meanings)
        if text in meanings:
            self.used.add(text)
            text = meanings[text]
        if text in self.labels:
            return text, ""
        labels = self.meanings(text) if self.meanings else ()
        if len(labels) > 1:
            return None, f"{quoted_cell(text)} could be {' or '.join(labels)}; specify it with --labels"
        if labels or says_nothing(text) or self.may_be_others:
            return (labels[0] if labels else None), ""
        available = ", ".join(self.labels)
        return None, f'{quoted_cell(text)} is not one of {available} (to leave it out, use --labels="{text}=")'

    def _pairs(self, what: str, text: str) -> tuple[tuple[tuple[str, float | None], ...], str]:
        """Words or texts with their numbers, and what is wrong with the cell."""
        measured = LOGPROB if what == OPTIONS else self.reading.measured
        of_cell = pairs_of if what == OPTIONS else words_of
        pairs = of_cell(text, measured) if text else ()
        if pairs is None:
            return (), f"{quoted_cell(text)} is not a JSON list of words and numbers, such as {EXAMPLES[measured]}"
        return pairs, ""
