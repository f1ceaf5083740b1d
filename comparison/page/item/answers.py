"""One item's answers as one table: people first, then the reference, then a line for each run, the nearest first.

A run that gives strengths and names no label has a degree here, by the same cut points as in the results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from annotation.models import Item, Study
from comparison.frame.coded import count_tallies
from comparison.frame.panel import RunColumn
from comparison.frame.selected import NotComputed, Selected
from comparison.page.item.detail import Option, RunAnswer
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import plain
from comparison.statistics.verdict.evidence import REFERENCE

TOO_LARGE = "in a study this large its degree by cut points stands in the table of items"


@dataclass(frozen=True, slots=True)
class RunDegrees:
    """`by_item` holds labels in words by item; empty where there are none, and `said` tells why not."""

    said: str
    by_item: Mapping[str, str]


DEGREES = TypeAdapter(dict[str, RunDegrees])


def read_degrees(chosen: Selected) -> Mapping[str, RunDegrees] | None:
    """By the run's key, for all items at once: the labels of all set the cut points. None where it would take long."""
    if not chosen.study.task.scale.ordered:
        return {}

    def compute() -> dict[str, RunDegrees]:
        panel = chosen.whole
        words = [panel.words[value] for value in panel.values]
        return {run.key: _of(run, panel.items.tolist(), words) for run in panel.runs if run.cuts is not None}

    try:
        return chosen.remembered(DEGREES, ["degrees", chosen.asked.classes], compute)
    except NotComputed:
        return None


def _of(run: RunColumn, items: list[str], words: list[str]) -> RunDegrees:
    assert run.cuts is not None
    if run.cuts.undefined:
        return RunDegrees(f"no degree by cut points: {run.cuts.undefined}", {})
    pairs = zip(items, run.decided.tolist(), strict=True)
    return RunDegrees("degree by cut points", {item: words[code] for item, code in pairs if code != MISSING})


PEOPLE, MODELS = "people", "models"
# A cell's bar is drawn in a box this wide.
WIDE = 100


@dataclass(frozen=True, slots=True)
class Cell:
    """What a rater says of one label: a number in words, and how much of a bar that is.

    `is_decision`: whether it is the label given; `is_degree`: whether cut points give it, as the run names none.
    """

    words: str = ""
    width: float = 0.0
    is_decision: bool = False
    is_degree: bool = False


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """`labels` and `texts` are cells; `right` says how the decision stands to what it is held against."""

    name: str
    kind: str
    said: str
    right: str
    labels: tuple[Cell, ...]
    texts: tuple[str, ...]
    strength: str


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """`texts` are the names of what runs were asked about besides labels, and `number` what they say of those."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]
    number: str
    against: str
    lines: tuple[AnswerLine, ...]

    @property
    def has_degrees(self) -> bool:
        return any(cell.is_degree for line in self.lines for cell in line.labels)

    @property
    def has_strengths(self) -> bool:
        return any(line.strength for line in self.lines)


def answer_table(
    study: Study,
    item: Item,
    answers: Sequence[RunAnswer],
    *,
    against: str,
    degrees: Mapping[str, RunDegrees] | None,
) -> AnswerTable:
    """`answers` in the order of their lines; `against` is what decisions are held against, for the whole study.

    `degrees` are those of runs that name no label; None where they were not computed.
    """
    words = {label.value: label.text for label in study.task.scale.labels}
    labels = tuple(words.values())
    counts = count_tallies([item.tally], list(words))[0]
    code = int(majority(counts[None, :])[0])
    reference = words.get(item.reference or "", "")
    true = reference if against == REFERENCE else ("" if code == MISSING else labels[code])
    texts = tuple(dict.fromkeys(one.name for answer in answers for one in answer.options if one.name not in labels))
    return AnswerTable(
        labels=labels,
        texts=texts,
        number="Log-probability" if any(answer.measures_probability for answer in answers) else "Score",
        against="the reference" if against == REFERENCE else "the majority label",
        lines=(
            _people(study, labels, counts.tolist(), code, texts),
            *([_reference(reference, labels, texts)] if reference else []),
            *(_run(answer, labels, texts, true, _degree(answer, item, degrees)) for answer in answers),
        ),
    )


def _people(study: Study, labels: Sequence[str], counts: Sequence[int], code: int, texts: Sequence[str]) -> AnswerLine:
    total = sum(counts)
    cells = tuple(
        Cell(f"{n} · {plain(n / total, decimals=2)}", WIDE * n / total, place == code) if n else Cell()
        for place, n in enumerate(counts)
    )
    said = "no labels yet" if not total else "no majority" if code == MISSING else ""
    name = f"{study.people.labels.capitalize()}, n = {total}"
    return AnswerLine(name, PEOPLE, said, "", cells, ("",) * len(texts), "")


def _reference(reference: str, labels: Sequence[str], texts: Sequence[str]) -> AnswerLine:
    cells = tuple(Cell(is_decision=label == reference) for label in labels)
    return AnswerLine("Reference", REFERENCE, "", "", cells, ("",) * len(texts), "")


@dataclass(frozen=True, slots=True)
class _Degree:
    """Of one run, by cut points; `said` is how it came about, or why there is none."""

    label: str = ""
    said: str = ""


def _degree(answer: RunAnswer, item: Item, degrees: Mapping[str, RunDegrees] | None) -> _Degree:
    if answer.decision or answer.unscored or not answer.strength:
        return _Degree()
    if degrees is None:
        return _Degree(said=TOO_LARGE)
    found = degrees.get(str(answer.run.pk))
    return _Degree(found.by_item.get(item.external_id, ""), found.said) if found else _Degree()


def _run(answer: RunAnswer, labels: Sequence[str], texts: Sequence[str], true: str, degree: _Degree) -> AnswerLine:
    options = {one.name: one for one in answer.options}
    shares = dict(answer.probabilities)
    return AnswerLine(
        name=str(answer.run),
        kind=MODELS,
        said="; ".join(filter(None, (_said(answer), degree.said))),
        right=_right(answer.decision or degree.label, true),
        labels=tuple(_cell(label, shares, options, answer.decision, degree.label) for label in labels),
        texts=tuple(_number(options.get(name)) for name in texts),
        strength=answer.strength,
    )


def _cell(label: str, shares: Mapping[str, str], options: Mapping[str, Option], decision: str, degree: str) -> Cell:
    share = float(shares[label]) if label in shares else None
    words = _number(options.get(label)) if share is None else plain(share, decimals=2)
    wide = WIDE * share if share is not None and np.isfinite(share) else 0.0
    return Cell(words, wide, is_decision=label == decision, is_degree=label == degree)


def _number(option: Option | None) -> str:
    return (option.logprob or option.score) if option else ""


def _said(answer: RunAnswer) -> str:
    """Why there is no decision."""
    if answer.unscored:
        return f"unscored: {answer.unscored}"
    return "" if answer.decision else f"no decision: {answer.note}" if answer.note else "names no label"


def _right(decision: str, true: str) -> str:
    if not decision:
        return ""
    return "nothing to compare with" if not true else "right" if decision == true else "wrong"
