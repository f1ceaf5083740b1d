"""BoolQ's own file: JSON lines with question, title, answer and passage. Read whole, checked whole."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.errors import Fault, SourceError
from corpus.json_lines import json_lines
from corpus.source_text import read_text

TEXTS = ("question", "title", "passage")
FIELDS = ("question", "title", "answer", "passage")


@dataclass(frozen=True, slots=True)
class Question:
    """One row of BoolQ, as published. BoolQ has no ids of its own: a row is known by its line."""

    line: int
    question: str
    title: str
    answer: bool
    passage: str

    @property
    def id(self) -> str:
        return f"boolq-{self.line}"

    @property
    def reference(self) -> str:
        return "yes" if self.answer else "no"


def read_questions(path: Path) -> list[Question]:
    """All rows in the file's order; SourceError with every fault, by line and field."""
    faults: list[Fault] = []
    questions: list[Question] = []
    for line in json_lines(read_text(path)):
        found = [line.fault] if line.fault else [fault.under(line.where) for fault in _faults(line.value)]
        faults += found
        if not found:
            questions.append(Question(line=line.number, **line.value))
    if not faults and not questions:
        faults.append(Fault("file", "holds no questions"))
    if faults:
        raise SourceError(path, faults)
    return questions


def groups(questions: Sequence[Question]) -> dict[str, str]:
    """By id, a name for the questions that share a passage with another: the first one's id."""
    sharing: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        sharing[question.passage].append(question.id)
    return {name: ids[0] for ids in sharing.values() if len(ids) > 1 for name in ids}


def repeated(questions: list[Question]) -> list[dict[str, Any]]:
    """Lines that ask the same of the same passage, and whether their answers agree."""
    same: dict[tuple[str, str], list[Question]] = defaultdict(list)
    for question in questions:
        same[question.question, question.passage].append(question)
    return [
        {"lines": [one.line for one in those], "answers": [one.reference for one in those]}
        for those in same.values()
        if len(those) > 1
    ]


def _faults(value: dict[str, Any]) -> list[Fault]:
    faults = [Fault(name, "is missing") for name in FIELDS if name not in value]
    faults += [Fault(name, f"is not known; known are {', '.join(FIELDS)}") for name in value if name not in FIELDS]
    for name in TEXTS:
        if name in value and (not isinstance(value[name], str) or not value[name].strip()):
            faults.append(Fault(name, "must be text and not empty"))
    if "answer" in value and not isinstance(value["answer"], bool):
        faults.append(Fault("answer", f"{value['answer']!r} is not true or false"))
    return faults
