"""The BoolQ importer: the published JSON lines become one yes/no study, the answers its references.

What annotators read is our own.
"""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.yes_no.task import YesNo
from corpus.slugs import slug_of
from stimuli.datasets.boolq.source import Question, groups, read_questions, repeated
from stimuli.making.contract import MadeStudy
from stimuli.making.settings import study_settings
from stimuli.making.study_folder import manifest

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

VERSION = "1"
PAPER = (
    "Clark, Lee, Chang, Kwiatkowski, Collins and Toutanova (2019). BoolQ: Exploring the Surprising Difficulty of "
    "Natural Yes/No Questions. NAACL 2019"
)
LICENSE = "CC BY-SA 3.0"
help = "BoolQ (Clark et al. 2019): train.jsonl or dev.jsonl as published"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--without-passage", action="store_true", help="show the question alone")


def load(source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> MadeStudy:
    """A study of the file's questions. SourceError, with every fault, if the file is not as it should be."""
    questions = read_questions(source)
    taken = questions[:limit]
    alone: bool = options.get("without_passage", False)
    rows = item_rows(taken, groups(questions), alone=alone)
    counts = _counts(questions, taken, rows)
    name = "qboolq" if alone else "boolq"
    title = title or f"BoolQ, {source.stem}" + (", question alone" if alone else "")
    instructions = QUESTION_ALONE if alone else WITH_PASSAGE
    return MadeStudy(
        settings=settings(slug or slug_of(source, prefix=name), title, instructions=instructions),
        rows=rows,
        manifest=manifest(
            maker="import_study boolq",
            maker_version=VERSION,
            paper=PAPER,
            license=LICENSE,
            task=YesNo,
            sources=[source],
            options={"limit": limit, "without_passage": alone},
            counts=counts,
            dropped=[],
            same_questions=repeated(taken),
        ),
        summary=[
            f"{len(taken)} of {len(questions)} questions taken: {counts['references']['yes']} yes, "
            f"{counts['references']['no']} no; {counts['passages']} different passages"
        ],
    )


def item_rows(questions: list[Question], sharing: dict[str, str], *, alone: bool) -> list[ItemRow]:
    """One item a question, in the file's order, texts as published. `sharing` gives the groups by id."""
    return [
        ItemRow(
            id=question.id,
            content={"question": question.question} | ({} if alone else {"passage": question.passage}),
            reference=question.reference,
            attributes={"title": question.title},
            group=sharing.get(question.id, ""),
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


def _counts(published: list[Question], taken: list[Question], rows: list[ItemRow]) -> dict[str, Any]:
    references = Counter(row.reference for row in rows)
    return {
        "rows_in_file": len(published),
        "rows_taken": len(taken),
        "items": len(rows),
        "references": {value: references[value] for value in ("yes", "no")},
        "passages": len({question.passage for question in taken}),
        "titles": len({question.title for question in taken}),
    }
