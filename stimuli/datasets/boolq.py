"""BoolQ: the published JSON lines become one yes/no study, the answers its references; the words are our own."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.yes_no import YesNo
from corpus.arguments import slug_of
from corpus.errors import Fault, SourceError
from corpus.source_text import json_lines, read_text
from stimuli.datasets.published import DataSet, Reading, field_faults, sharing
from stimuli.making.settings import study_settings

TEXTS = ("question", "title", "passage")
FIELDS = ("question", "title", "answer", "passage")

WITH_PASSAGE = """\
You will read a short passage and a question about it. Answer with Yes or No.

Go by what the passage says, even where it surprises you or you know better. You may have to put two facts together.

The questions were typed into a search engine, so many are in lower case and some are clumsy. Answer what is meant.
"""
QUESTION_ALONE = """\
You will read a question. Answer with Yes or No, from what you know; please do not look it up.

If you do not know, choose the answer that seems more likely to you.

The questions were typed into a search engine, so many are in lower case and some are clumsy. Answer what is meant.
"""
LICENSE = "CC BY-SA 3.0"


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
        line_faults = [line.fault] if line.fault else [fault.under(line.where) for fault in _faults(line.value)]
        faults += line_faults
        if not line_faults:
            questions.append(Question(line=line.number, **line.value))
    if not faults and not questions:
        faults.append(Fault("file", "contains no questions"))
    if faults:
        raise SourceError(path, faults)
    return questions


def groups(questions: Sequence[Question]) -> dict[str, str]:
    """By id, a name for the questions that share a passage with another: the first one's id."""
    alike = sharing(questions, lambda question: question.passage)
    return {question.id: those[0].id for those in alike for question in those}


def repeated(questions: list[Question]) -> list[dict[str, Any]]:
    """Lines that ask the same of the same passage, and whether their answers agree."""
    return [
        {"lines": [one.line for one in those], "answers": [one.reference for one in those]}
        for those in sharing(questions, lambda question: (question.question, question.passage))
    ]


def _faults(value: dict[str, Any]) -> list[Fault]:
    faults = field_faults(value, FIELDS, texts=TEXTS)
    if "answer" in value and not isinstance(value["answer"], bool):
        faults.append(Fault("answer", f"{value['answer']!r} is not true or false"))
    return faults


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--without-passage", action="store_true", help="show only the question")


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of the file's questions. SourceError, with every fault, if the file is not as it should be."""
    questions = read_questions(source)
    selected = questions[:limit]
    is_alone: bool = options.get("without_passage", False)
    rows = item_rows(selected, groups(questions), is_alone=is_alone)
    counts = _counts(questions, selected, rows)
    name = "qboolq" if is_alone else "boolq"
    title = f"BoolQ, {source.stem}" + (", question alone" if is_alone else "")
    instructions = QUESTION_ALONE if is_alone else WITH_PASSAGE
    return Reading(
        settings=settings(slug_of(source, prefix=name), title, instructions=instructions),
        rows=rows,
        sources=[source],
        options={"limit": limit, "without_passage": is_alone},
        counts=counts,
        notes={"same_questions": repeated(selected)},
        summary=[
            f"{len(selected)} of {len(questions)} questions taken: {counts['references']['yes']} yes, "
            f"{counts['references']['no']} no; {counts['passages']} different passages"
        ],
    )


def item_rows(questions: list[Question], group_of: dict[str, str], *, is_alone: bool) -> list[ItemRow]:
    """One item a question, in the file's order, texts as published. `group_of` gives the groups by id."""
    return [
        ItemRow(
            id=question.id,
            content={"question": question.question} | ({} if is_alone else {"passage": question.passage}),
            reference=question.reference,
            attributes={"title": question.title},
            group=group_of.get(question.id, ""),
        )
        for question in questions
    ]


def settings(slug: str, title: str, *, instructions: str) -> dict[str, Any]:
    """study.toml of a study of BoolQ's questions, as they are or changed."""
    return study_settings(
        slug=slug,
        title=title,
        instructions=instructions,
        task={"type": YesNo.key},
        # Not the pseudo-log-likelihoods: they cost a forward pass for each token of a passage.
        metrics=["cloze", "causal"],
        sitting_length=10,
    )


def _counts(published: list[Question], selected: list[Question], rows: list[ItemRow]) -> dict[str, Any]:
    references = Counter(row.reference for row in rows)
    return {
        "rows_in_file": len(published),
        "rows_taken": len(selected),
        "items": len(rows),
        "references": {value: references[value] for value in ("yes", "no")},
        "passages": len({question.passage for question in selected}),
        "titles": len({question.title for question in selected}),
    }


IMPORTER = DataSet(
    key="boolq",
    help="BoolQ (Clark et al. 2019): train.jsonl or dev.jsonl as published",
    paper=(
        "Clark, Lee, Chang, Kwiatkowski, Collins and Toutanova (2019). BoolQ: Exploring the Surprising Difficulty of "
        "Natural Yes/No Questions. NAACL 2019"
    ),
    license=LICENSE,
    declare=add_arguments,
    read=read,
)
