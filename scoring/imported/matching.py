"""From a file's lines to what they say of items: the task type reads out, as it does for a model of ours."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from annotation.tasktypes.contract import (
    Cloze,
    ClozeNumbers,
    Numbers,
    Readout,
    Sentence,
    SentenceNumbers,
    Shape,
    TaskType,
    Unscorable,
    Unscored,
)
from corpus.errors import Fault
from scoring.imported.lines import MOST_FAULTS, ScoreFile, ScoreFileError, ScoreLine, bare, shown
from scoring.imported.reading import LOGPROB, NEUTRAL, PROB, RANK, SCORE, Reading, ReadingError


class Scorable(Protocol):
    """What is needed of an item."""

    @property
    def external_id(self) -> str: ...

    @property
    def content(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Missing(Unscored):
    """What the file lacks. `where` is apart from the reason, so that the same reason is counted as one."""

    where: str


@dataclass(frozen=True, slots=True)
class Matched:
    """One readout or reason an item, in the items' order; `unknown` lines belong to none."""

    results: tuple[Readout | Unscored, ...]
    unknown: int


def match(task: TaskType, items: Iterable[Scorable], file: ScoreFile, reading: Reading) -> Matched:
    """What the file says of each item; ScoreFileError naming every line that belongs to none, unless they may be."""
    matcher = _Matcher(task, file, reading)
    results = tuple(matcher.result(item) for item in items)
    if not matcher.used:
        what = "one of this study’s target items" if reading.by == "id" else "a text of this study’s target items"
        raise ScoreFileError(file.name, [Fault("file", f"no line names {what}")])
    unknown = [line for line in file.lines.values() if line.key not in matcher.used]
    if unknown and not reading.skip_unknown:
        kind = "target item" if reading.by == "id" else "target item with the text"
        faults = [
            Fault(f"line {line.line}.{reading.where(reading.key)}", f"there is no {kind} {shown(line.key)}")
            for line in unknown[:MOST_FAULTS]
        ]
        raise ScoreFileError(file.name, faults)
    return Matched(results, len(unknown))


@dataclass
class _Matcher:
    task: TaskType
    file: ScoreFile
    reading: Reading

    def __post_init__(self) -> None:
        self.used: set[str] = set()

    def result(self, item: Scorable) -> Readout | Unscored:
        try:
            return self._by_text(item) if self.reading.by == "text" else self._by_id(item)
        except Unscorable as reason:
            return Unscored(str(reason))

    def _by_text(self, item: Scorable) -> Readout | Unscored:
        """Every text that a model would be asked about has its own line."""
        requests = self.task.requests(item.content, "sentence")
        texts = [request.text for request in requests if isinstance(request, Sentence)]
        lines = [self._line(bare(text)) for text in texts]
        absent = [text for text, line in zip(texts, lines, strict=True) if line is None]
        if absent:
            return Missing(f"not in {self.file.name}", "; ".join(absent))
        (what,) = self.reading.values
        found = [(line, what) for line in lines if line is not None]
        return self._of_options(item, "sentence", found)

    def _by_id(self, item: Scorable) -> Readout | Unscored:
        line = self._line(item.external_id)
        if line is None:
            return Unscored(f"not in {self.file.name}")
        if not self.reading.options:
            return self._of_item(line)
        shape: Shape = "cloze" if RANK in self.reading.kinds else "sentence"
        (kind,) = self.reading.kinds - {RANK}
        names = self._option_names(item, shape)
        if set(names) != set(self.reading.options):
            raise ReadingError(
                f"The columns name the options {', '.join(self.reading.options)}; those of this study are "
                f"{', '.join(names)}."
            )
        return self._with_words(line, self._of_options(item, shape, [(line, f"{kind}.{name}") for name in names]), item)

    def _line(self, key: str) -> ScoreLine | None:
        line = self.file.lines.get(key)
        if line is not None:
            self.used.add(key)
        return line

    def _of_item(self, line: ScoreLine) -> Readout | Unscored:
        """A score is the strength, as the task type means it; a label is the decision."""
        strength = line.values.get(SCORE)
        if strength is None and line.label is None:
            what = " and ".join(self.reading.values)
            return Missing(f"no {what} in {self.file.name}", f"line {line.line}")
        signed = None if strength is None else self._sign * strength
        return Readout(line.label, signed, {} if strength is None else {"score": strength})

    def _option_names(self, item: Scorable, shape: Shape) -> list[str]:
        """What the task type calls the texts that a model is asked about."""
        asked = self.task.requests(item.content, shape)
        first = asked[0]
        count = len(first.candidates) if isinstance(first, Cloze) else len(asked)
        zeros = _numbers(shape, [0.0] * count, [1] * count)
        return list(self.task.readout(item.content, shape, zeros).detail["options"])

    def _of_options(self, item: Scorable, shape: Shape, cells: list[tuple[ScoreLine, str]]) -> Readout | Unscored:
        missing = [(line, what) for line, what in self._wanted(shape, cells) if line.values[what] is None]
        if missing:
            places = "; ".join(f"line {line.line}, {what}: {line.raw[what] or 'empty'}" for line, what in missing)
            return Missing(f"no number in {self.file.name}", places)
        given = [_given(line, what) for line, what in cells]
        ranks = [int(_given(line, _rank_of(what))) for line, what in cells] if shape == "cloze" else []
        numbers = _numbers(shape, [self._sign * number for number in given], ranks)
        readout = self.task.readout(item.content, shape, numbers)
        return _retold(readout, given, is_logprob=cells[0][1].partition(".")[0] in (LOGPROB, PROB))

    def _with_words(self, line: ScoreLine, result: Readout | Unscored, item: Scorable) -> Readout | Unscored:
        """What the line says of the slot beside its options: the most probable words, and the neutral context."""
        if isinstance(result, Unscored):
            return result
        detail = dict(result.detail) | ({"top": [list(pair) for pair in line.top]} if line.top else {})
        without = {what: line.values[what] for what in self.reading.neutral}
        if without and None not in without.values():
            detail["neutral"] = self._neutral(line, result, item)
        return Readout(result.decision, result.strength, detail)

    def _neutral(self, line: ScoreLine, result: Readout, item: Scorable) -> dict[str, Any]:
        """As the task type tells it of our own runs; without probabilities in the file there is no strength."""
        ranks = {name: int(_given(line, f"{NEUTRAL}.{RANK}.{name}")) for name in self.reading.options}
        kind = self.reading.measured
        if f"{NEUTRAL}.{kind}.{self.reading.options[0]}" not in line.values:
            return {"options": {name: {"rank": rank} for name, rank in ranks.items()}}
        given = {name: _given(line, f"{NEUTRAL}.{kind}.{name}") for name in ranks}
        names = list(result.detail["options"])
        told = ClozeNumbers(tuple(given[name] for name in names), tuple(ranks[name] for name in names), ())
        prior = self.task.readout(item.content, "cloze", [told]).strength
        assert prior is not None and result.strength is not None, "options with numbers have a strength"
        options = {name: {"logprob": given[name], "rank": ranks[name]} for name in names}
        return {"options": options, "strength": prior, "difference": result.strength - prior}

    def _wanted(self, shape: Shape, cells: list[tuple[ScoreLine, str]]) -> list[tuple[ScoreLine, str]]:
        ranks = [(line, _rank_of(what)) for line, what in cells] if shape == "cloze" else []
        return [*cells, *ranks]

    @property
    def _sign(self) -> int:
        return -1 if self.reading.lower_is_better else 1


def _numbers(shape: Shape, values: list[float], ranks: list[int]) -> list[Numbers]:
    if shape == "cloze":
        return [ClozeNumbers(tuple(values), tuple(ranks), ())]
    return [SentenceNumbers(value, ()) for value in values]


def _rank_of(what: str) -> str:
    return f"{RANK}.{what.partition('.')[2]}"


def _given(line: ScoreLine, what: str) -> float:
    value = line.values[what]
    assert value is not None, "cells without a number have left before"
    return value


def _retold(readout: Readout, given: list[float], *, is_logprob: bool) -> Readout:
    """The detail without what the file does not say; a score that is no probability is not called one."""
    options: Mapping[str, Mapping[str, Any]] = readout.detail["options"]
    detail: dict[str, Any] = {"options": {}}
    for (name, option), number in zip(options.items(), given, strict=True):
        kept = {field: value for field, value in option.items() if field not in ("tokens", "logprob")}
        detail["options"][name] = kept | {LOGPROB if is_logprob else SCORE: number}
    if "no_decision" in readout.detail:
        detail["no_decision"] = readout.detail["no_decision"] if is_logprob else "the best options have the same score"
    return Readout(readout.decision, readout.strength, detail)
