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
from comparison.page.drawn.heat import softened
from comparison.page.item.detail import Option, RunAnswer
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import plain
from comparison.statistics.verdict.evidence import REFERENCE
from comparison.statistics.verdict.words.wording import CUT
from corpus.errors import counted

TOO_LARGE = "label by cut points: see the list of items"


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
        return RunDegrees(f"no label by cut points: {run.cuts.undefined}", {})
    pairs = zip(items, run.decided.tolist(), strict=True)
    return RunDegrees("", {item: words[code] for item, code in pairs if code != MISSING})


PEOPLE, MODELS = "people", "models"
RIGHT, WRONG = "right", "wrong"
# A share in a cell, of this; and how many steps of shading there are.
WIDE, STEPS = 100, 10


@dataclass(frozen=True, slots=True)
class Cell:
    """What a rater says of one label: a number in words, and which share of WIDE that is.

    `is_decision`: whether it is the label given; `is_degree`: whether cut points give it, as the run names none.
    """

    words: str = ""
    width: float = 0.0
    is_decision: bool = False
    is_degree: bool = False

    @property
    def level(self) -> int:
        """How dark it is."""
        return round(STEPS * self.width / WIDE)


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """`right` says how the decision stands to what it is compared with; `small` stands below the name."""

    name: str
    small: str
    kind: str
    said: str
    right: str
    labels: tuple[Cell, ...]
    strength: str
    # Of a run.
    key: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """`majority` and `reference` are labels in words, empty where there is none; `right` is of the models alone."""

    labels: tuple[str, ...]
    majority: str
    reference: str
    against: str
    lines: tuple[AnswerLine, ...]
    right: str

    @property
    def heads(self) -> tuple[str, ...]:
        """Labels as heads of narrow columns."""
        return tuple(softened(label) for label in self.labels)

    @property
    def width(self) -> int:
        """In columns."""
        return 1 + len(self.labels) + self.has_strengths

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
    runs = [_run(answer, labels, true, _degree(answer, item, degrees)) for answer in answers]
    return AnswerTable(
        labels=labels,
        majority="" if code == MISSING else labels[code],
        reference=reference,
        against="the reference" if against == REFERENCE else "the majority label",
        lines=(
            _people(study, labels, counts.tolist(), code),
            *([_reference(reference, labels)] if reference else []),
            *runs,
        ),
        right=""
        if study.is_averaged
        else _models_right([line for answer, line in zip(answers, runs, strict=True) if not _is_baseline(answer)]),
    )


def _is_baseline(answer: RunAnswer) -> bool:
    return bool(answer.run.model.is_baseline)


def _models_right(lines: Sequence[AnswerLine]) -> str:
    compared = [line for line in lines if line.right in (RIGHT, WRONG)]
    if not compared:
        return ""
    right = sum(line.right == RIGHT for line in compared)
    return f"{right} of {counted(len(compared), 'model')} right"


def _people(study: Study, labels: Sequence[str], counts: Sequence[int], code: int) -> AnswerLine:
    total = sum(counts)
    cells = tuple(Cell(f"{n:,}", WIDE * n / total, place == code) if n else Cell() for place, n in enumerate(counts))
    note = {0: "no labels yet", 1: "one label"}.get(total, "no majority") if code == MISSING else ""
    return AnswerLine(study.people.many.capitalize(), counted(total, "label"), PEOPLE, note, "", cells, "")


def _reference(reference: str, labels: Sequence[str]) -> AnswerLine:
    cells = tuple(Cell(is_decision=label == reference) for label in labels)
    return AnswerLine("Reference", "", REFERENCE, "", "", cells, "")


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
    run_degrees = degrees.get(str(answer.run.pk))
    return _Degree(run_degrees.by_item.get(item.external_id, ""), run_degrees.said) if run_degrees else _Degree()


def _run(answer: RunAnswer, labels: Sequence[str], true: str, degree: _Degree) -> AnswerLine:
    options = {one.name: one for one in answer.options}
    shares = dict(answer.probabilities)
    return AnswerLine(
        name=answer.short,
        small=f"{answer.run.metric_shown} {CUT}" if degree.label else answer.run.metric_shown,
        kind=MODELS,
        said=_said(answer, degree),
        right=_right(answer.decision or degree.label, true),
        labels=tuple(_cell(label, shares, options, answer.decision, degree.label) for label in labels),
        strength=answer.strength,
        key=str(answer.run.pk),
        title=str(answer.run),
    )


def _cell(label: str, shares: Mapping[str, str], options: Mapping[str, Option], decision: str, degree: str) -> Cell:
    share = float(shares[label]) if label in shares else None
    words = _number(options.get(label)) if share is None else plain(share, decimals=2)
    wide = WIDE * share if share is not None and np.isfinite(share) else 0.0
    return Cell(words, wide, is_decision=label == decision, is_degree=label == degree)


def _number(option: Option | None) -> str:
    return (option.logprob or option.score) if option else ""


def _said(answer: RunAnswer, degree: _Degree) -> str:
    """Why there is no label."""
    if answer.unscored:
        return f"unscored: {answer.unscored}"
    if answer.decision or degree.label:
        return ""
    return degree.said or (f"no label: {answer.note}" if answer.note else "gives no label")


def _right(decision: str, true: str) -> str:
    if not decision:
        return ""
    return "nothing to compare with" if not true else RIGHT if decision == true else WRONG
