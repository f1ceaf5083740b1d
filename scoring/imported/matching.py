"""From a file's lines to what they say of items: the task type reads out, as it does for a model of ours."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.elsewhere.names import Ids
from annotation.tasktypes.contract import (
    Cloze,
    ClozeNumbers,
    Numbers,
    PromptNumbers,
    Readout,
    Sentence,
    SentenceNumbers,
    Shape,
    TaskType,
    Unscorable,
    Unscored,
)
from annotation.tasktypes.readouts import answered
from corpus.bounds import MOST_FAULTS
from corpus.decimals import says_nothing
from corpus.errors import Fault
from corpus.tables.cells import LONGEST_SHOWN
from corpus.workplace import OnProgress, no_progress, with_progress
from scoring.imported.lines import ScoreFile, ScoreFileError, ScoreLine, bare, quoted_cell
from scoring.imported.reading import LABEL, LOGPROB, NEUTRAL, NOTE, OPTIONS, PROB, RANK, SCORE, Reading, ReadingError


@dataclass(frozen=True, slots=True)
class Target:
    """What is needed of an item: a whole one takes several times the memory."""

    pk: int
    content_hash: str
    external_id: str
    content: Any


@dataclass(frozen=True, slots=True)
class Missing(Unscored):
    """What the file lacks. `where` is apart from the reason, so that the same reason is counted as one."""

    where: str


@dataclass(frozen=True, slots=True)
class Matched:
    """One readout or reason an item, in the items' order; `unknown` lines belong to none. `remarks` are for people."""

    results: tuple[Readout | Unscored, ...]
    unknown: int
    remarks: tuple[str, ...] = ()


def match(
    task: TaskType, items: Sequence[Target], file: ScoreFile, reading: Reading, *, on_progress: OnProgress = no_progress
) -> Matched:
    """What the file says of each item; ScoreFileError naming every line that belongs to none, unless they may be."""
    remarks: tuple[str, ...] = ()
    if reading.by == "id":
        file, remarks = _by_items(file, {item.external_id: None for item in items})
    matcher = _Matcher(task, file, reading)
    tracked = with_progress(
        items, "finding what they say of items", of=len(items), on_progress=on_progress, unit="items"
    )
    results = tuple(matcher.result(item) for item in tracked)
    if not matcher.used:
        what = "one of this study’s target items" if reading.by == "id" else "a text of this study’s target items"
        raise ScoreFileError(file.name, [Fault("file", f"no line names {what}")])
    unknown = [line for key, line in file.lines.items() if key not in matcher.used]
    if unknown and not reading.skip_unknown:
        kind = "target item" if reading.by == "id" else "target item with the text"
        faults = [
            Fault(f"{line.where}.{reading.where(reading.key)}", f"there is no {kind} {quoted_cell(line.key)}")
            for line in unknown[:MOST_FAULTS]
        ]
        raise ScoreFileError(file.name, faults)
    none = not any(isinstance(result, Readout) for result in results)
    if none and (faults := _options_of_none(results) if OPTIONS in reading.values else _answers_of_none(task, file)):
        raise ScoreFileError(file.name, faults)
    return Matched(results, len(unknown), remarks)


def _by_items(file: ScoreFile, items: Mapping[str, None]) -> tuple[ScoreFile, tuple[str, ...]]:
    """The file with its lines under the items' ids, where it has these in another form; and what is told of it."""
    if file.lines.keys() <= items.keys():
        return file, ()
    ids, lines = Ids(items.keys()), {key: line for key, line in file.lines.items() if key in items}
    for key, line in file.lines.items():
        name = ids.known(key)
        # Of an item that has a line of its own, this is none.
        lines.setdefault(name if name in items and name not in lines else key, line)
    return replace(file, lines=lines), tuple(map(str, ids.remarks()))


def _options_of_none(results: Iterable[Readout | Unscored]) -> list[Fault]:
    """Where options are told by their texts and no item has such: which texts, and what to say instead."""
    missing = [result for result in results if isinstance(result, Missing)][:3]
    to_do = "map each option: --map logprob.ROLE=logprobs.0 and so on"
    return [Fault(one.where, f"{one.reason}; {to_do}") for one in missing]


def _answers_of_none(task: TaskType, file: ScoreFile) -> list[Fault]:
    """Where answers in words are neither labels nor options of the item: the first ones, and what was noticed."""
    others = [line for line in file.lines.values() if line.other_answer][:10]
    to_do = f"is not one of {', '.join(task.scale.values)}; map the file's words with --labels"
    faults = [Fault(f"{line.where}.{LABEL}", f"{quoted_cell(line.other_answer)} {to_do}") for line in others]
    return [*faults, *(Fault("file", words) for words in file.remarks)] if faults else []


@dataclass
class _Matcher:
    task: TaskType
    file: ScoreFile
    reading: Reading

    def __post_init__(self) -> None:
        self.used: set[str] = set()

    def result(self, item: Target) -> Readout | Unscored:
        try:
            return self._by_text(item) if self.reading.by == "text" else self._by_id(item)
        except Unscorable as reason:
            return Unscored(str(reason))

    def _by_text(self, item: Target) -> Readout | Unscored:
        """Every text that a model would be asked about has its own line."""
        requests = self.task.requests(item.content, "sentence")
        texts = [request.text for request in requests if isinstance(request, Sentence)]
        lines = [self._line(bare(text)) for text in texts]
        absent = [text for text, line in zip(texts, lines, strict=True) if line is None]
        if absent:
            return Missing(f"not in {self.file.name}", "; ".join(absent))
        (what,) = self.reading.values
        cells = [(line, what) for line in lines if line is not None]
        return self._of_options(item, "sentence", cells)

    def _by_id(self, item: Target) -> Readout | Unscored:
        line = self._line(item.external_id)
        if line is None:
            return Unscored(f"not in {self.file.name}")
        if OPTIONS in self.reading.values:
            return self._of_texts(item, line)
        if not self.reading.options:
            return self._of_item(line, item)
        shape: Shape = "cloze" if RANK in self.reading.kinds else "sentence"
        (kind,) = self.reading.kinds - {RANK}
        if kind != SCORE and shape == "sentence" and self._are_labels(item, self.reading.options):
            return self._of_labels(line, [f"{kind}.{label}" for label in self.task.scale.values])
        names = self._option_names(item, shape)
        if set(names) != set(self.reading.options):
            raise ReadingError(
                f"The columns name the options {', '.join(self.reading.options)}, but this study’s options are "
                f"{', '.join(names)}."
            )
        return self._with_words(line, self._of_options(item, shape, [(line, f"{kind}.{name}") for name in names]), item)

    def _line(self, key: str) -> ScoreLine | None:
        line = self.file.lines.get(key)
        if line is not None:
            self.used.add(key)
        return line

    def _of_item(self, line: ScoreLine, item: Target) -> Readout | Unscored:
        """A score is the strength, as the task type means it; a label is the decision, or its option's text."""
        strength = line.values.get(SCORE)
        label = line.label or (self._option_said(line.other_answer, item) if line.other_answer else None)
        if strength is None and label is None and line.other_answer:
            return Missing(
                f"the answer in {self.file.name} is none of the labels",
                f"{line.where}: {quoted_cell(line.other_answer)}",
            )
        if strength is None and label is None and not says_nothing(line.raw.get(SCORE, "")):
            return Missing(
                f"the score in {self.file.name} is no finite number", f"{line.where}: {quoted_cell(line.raw[SCORE])}"
            )
        if strength is None and label is None:
            what = " and ".join(self.reading.asked)
            return Missing(f"no {what} in {self.file.name}", line.where)
        signed = None if strength is None else self._sign * strength
        detail: dict[str, Any] = {} if strength is None else {"score": strength}
        note = line.raw.get(NOTE, "")
        return Readout(label, signed, detail | ({"note": note[:LONGEST_SHOWN]} if note else {}))

    def _option_said(self, answer: str, item: Target) -> str | None:
        """The role whose text in this item the answer is; None where it is that of none, or of several."""
        places = [place for place, words in enumerate(self._words(item)) if _plain(answer) in words]
        name = self._option_names(item, "sentence")[places[0]] if len(places) == 1 else ""
        return name if name in self.task.scale.values else None

    def _option_names(self, item: Target, shape: Shape) -> list[str]:
        return option_names(self.task, item.content, shape)

    def _of_options(self, item: Target, shape: Shape, cells: list[tuple[ScoreLine, str]]) -> Readout | Unscored:
        missing = [(line, what) for line, what in self._wanted(shape, cells) if line.values[what] is None]
        if missing:
            places = "; ".join(f"{line.where}, {what}: {line.raw[what] or 'empty'}" for line, what in missing)
            return Missing(f"no number in {self.file.name}", places)
        raw = [_required(line, what) for line, what in cells]
        ranks = [int(_required(line, _rank_of(what))) for line, what in cells] if shape == "cloze" else []
        numbers = _numbers(shape, [self._sign * number for number in raw], ranks)
        readout = self.task.readout(item.content, shape, numbers)
        return _retold(readout, raw, is_logprob=cells[0][1].partition(".")[0] in (LOGPROB, PROB))

    def _are_labels(self, item: Target, names: Collection[str]) -> bool:
        """Whether numbers are for the labels of the task, and not for texts of the item that a model is asked about."""
        return set(names) == set(self.task.scale.values) != set(self._option_names(item, "sentence"))

    def _of_labels(self, line: ScoreLine, columns: Sequence[str]) -> Readout | Unscored:
        """A log-probability for each label of the task: read out as that of a model that was asked in words."""
        missing = [what for what in columns if line.values[what] is None]
        if missing:
            places = "; ".join(f"{line.where}, {what}: {line.raw[what] or 'empty'}" for what in missing)
            return Missing(f"no number in {self.file.name}", places)
        return self._answered([_required(line, what) for what in columns])

    def _answered(self, raw: Sequence[float]) -> Readout:
        scale = self.task.scale
        numbers = PromptNumbers((scale.values,), (tuple(raw),))
        readout = answered(scale, [(label.value, label.text) for label in scale.labels], numbers, noise=0.0)
        detail = {name: value for name, value in readout.detail.items() if name != "orders"}
        is_logprob = not self.reading.length_normalized
        return _retold(Readout(readout.decision, readout.strength, detail), list(raw), is_logprob=is_logprob)

    def _of_texts(self, item: Target, line: ScoreLine) -> Readout | Unscored:
        """The options by their texts: the item's own, as a model is asked about them; else the labels of the task."""
        if unsound := [text for text, number in line.told if number is None]:
            return Missing(f"no number in {self.file.name}", f"{line.where}: {', '.join(map(quoted_cell, unsound))}")
        numbers = [(text, self._measured(text, number)) for text, number in line.told if number is not None]
        if raw := _in_order(self._words(item), [(_plain(text), number) for text, number in numbers]):
            readout = self.task.readout(item.content, "sentence", _numbers("sentence", raw, []))
            return _retold(readout, raw, is_logprob=not self.reading.length_normalized)
        scale = self.task.scale
        meant = [(scale.meant(bare(text)) or "", number) for text, number in numbers]
        if raw := _in_order([{value} for value in scale.values], meant):
            return self._answered(raw)
        texts = ", ".join(quoted_cell(text) for text, _ in line.told) or "nothing"
        return Missing(f"the options in {self.file.name} are not those of the item", f"{line.where}: {texts}")

    def _measured(self, text: str, number: float) -> float:
        """The number as it decides: of the whole text, or of a character of it, without the space before it."""
        return number / max(1, len(text.strip())) if self.reading.length_normalized else number

    def _words(self, item: Target) -> list[set[str]]:
        """Of each text that a model is asked about, in their order: what it is called, its option, and all of it."""
        try:
            requests = self.task.requests(item.content, "sentence")
        except Unscorable:
            return []
        zeros = _numbers("sentence", [0.0] * len(requests), [])
        options = self.task.readout(item.content, "sentence", zeros).detail["options"]
        texts = [one.text for one in requests if isinstance(one, Sentence)]
        return [
            {_plain(name), _plain(option["text"]), _plain(text)}
            for (name, option), text in zip(options.items(), texts, strict=True)
        ]

    def _with_words(self, line: ScoreLine, result: Readout | Unscored, item: Target) -> Readout | Unscored:
        """What the line says of the slot beside its options: the most probable words, and the neutral context."""
        if isinstance(result, Unscored):
            return result
        detail = dict(result.detail) | ({"top": [list(pair) for pair in line.top]} if line.top else {})
        without = {what: line.values[what] for what in self.reading.neutral}
        if without and None not in without.values():
            detail["neutral"] = self._neutral(line, result, item)
        return Readout(result.decision, result.strength, detail)

    def _neutral(self, line: ScoreLine, result: Readout, item: Target) -> dict[str, Any]:
        """As the task type tells it of our own runs; without probabilities in the file there is no strength."""
        ranks = {name: int(_required(line, f"{NEUTRAL}.{RANK}.{name}")) for name in self.reading.options}
        kind = self.reading.measured
        if f"{NEUTRAL}.{kind}.{self.reading.options[0]}" not in line.values:
            return {"options": {name: {"rank": rank} for name, rank in ranks.items()}}
        raw = {name: _required(line, f"{NEUTRAL}.{kind}.{name}") for name in ranks}
        names = list(result.detail["options"])
        numbers = ClozeNumbers(tuple(raw[name] for name in names), tuple(ranks[name] for name in names), ())
        prior = self.task.readout(item.content, "cloze", [numbers]).strength
        assert prior is not None and result.strength is not None, "options with numbers have a strength"
        options = {name: {"logprob": raw[name], "rank": ranks[name]} for name in names}
        return {"options": options, "strength": prior, "difference": result.strength - prior}

    def _wanted(self, shape: Shape, cells: list[tuple[ScoreLine, str]]) -> list[tuple[ScoreLine, str]]:
        ranks = [(line, _rank_of(what)) for line, what in cells] if shape == "cloze" else []
        return [*cells, *ranks]

    @property
    def _sign(self) -> int:
        return -1 if self.reading.lower_is_better else 1


def option_names(task: TaskType, content: Any, shape: Shape) -> list[str]:
    """What the task type calls the texts that a model is asked about; Unscorable."""
    requests = task.requests(content, shape)
    first = requests[0]
    count = len(first.candidates) if isinstance(first, Cloze) else len(requests)
    zeros = _numbers(shape, [0.0] * count, [1] * count)
    return list(task.readout(content, shape, zeros).detail["options"])


def _plain(text: str) -> str:
    return bare(text).casefold()


def _in_order(words: Sequence[set[str]], pairs: Sequence[tuple[str, float]]) -> list[float]:
    """The numbers of texts in the order of the options; empty where they are not one for each."""
    if not words or len(pairs) != len(words):
        return []
    matches = [[number for text, number in pairs if text in one] for one in words]
    return [one[0] for one in matches] if all(len(one) == 1 for one in matches) else []


def _numbers(shape: Shape, values: list[float], ranks: list[int]) -> list[Numbers]:
    if shape == "cloze":
        return [ClozeNumbers(tuple(values), tuple(ranks), ())]
    return [SentenceNumbers(value, ()) for value in values]


def _rank_of(what: str) -> str:
    return f"{RANK}.{what.partition('.')[2]}"


def _required(line: ScoreLine, what: str) -> float:
    value = line.values[what]
    assert value is not None, "cells without a number have left before"
    return value


def _retold(readout: Readout, raw: list[float], *, is_logprob: bool) -> Readout:
    """The detail without what the file does not say; a score that is no probability is not called one."""
    options: Mapping[str, Mapping[str, Any]] = readout.detail["options"]
    detail: dict[str, Any] = {"options": {}}
    for (name, option), number in zip(options.items(), raw, strict=True):
        fields = {field: value for field, value in option.items() if field not in ("tokens", "logprob")}
        detail["options"][name] = fields | {LOGPROB if is_logprob else SCORE: number}
    if "no_decision" in readout.detail:
        detail["no_decision"] = readout.detail["no_decision"] if is_logprob else "the best options have the same score"
    return Readout(readout.decision, readout.strength, detail)
