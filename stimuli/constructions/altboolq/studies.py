"""The four studies: the same questions as published, alone, masked and with words exchanged (section 5.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.itemfile import ItemRow
from stimuli.constructions.altboolq.documents import REDACTED, replaced
from stimuli.constructions.altboolq.quality import lines
from stimuli.constructions.altboolq.working import DocumentOutcome
from stimuli.datasets.boolq import QUESTION_ALONE, WITH_PASSAGE, Question, groups, settings
from stimuli.making.contract import BuiltStudy, Figure

MASKED = (
    "You will read a short passage and a question about it. Answer with Yes or No.\n\n"
    'In both, the word "redacted" stands where another word was taken out. Go by what is left of the passage. '
    "If it does not settle the answer, choose the one that seems more likely to you.\n\n"
    "The questions were typed into a search engine, so many are in lower case and some are clumsy. "
    "Answer what is meant.\n"
)
EXCHANGED = (
    "You will read a short passage and a question about it. Answer with Yes or No.\n\n"
    "A program has exchanged words in both, so the passage may say strange things. A word was exchanged in the same "
    "way everywhere. Take the passage as true and go by what it says, not by what you know.\n\n"
    "Please read closely: two words that meant the same may no longer do so. If the passage does not settle the "
    "answer, choose the one that seems more likely to you.\n"
)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the four studies. `key` ends its slug."""

    key: str
    name: str
    instructions: str


BOOLQ = Variant("boolq", "BoolQ", WITH_PASSAGE)
QBOOLQ = Variant("qboolq", "QBoolQ", QUESTION_ALONE)
MASKEDBOOLQ = Variant("maskedboolq", "MaskedBoolQ", MASKED)
ALTBOOLQ = Variant("altboolq", "AltBoolQ", EXCHANGED)
VARIANTS = (BOOLQ, QBOOLQ, MASKEDBOOLQ, ALTBOOLQ)


def studies(
    questions: Sequence[Question],
    usable: Sequence[DocumentOutcome],
    *,
    slug: str,
    title: str,
    manifest: dict[str, Any],
    figures: Sequence[Figure],
) -> list[BuiltStudy]:
    """The variants of the questions in `usable`, item by item under the same ids; `figures` are the exchanged one's."""
    by_id = {one.id: one for one in usable}
    # Of the whole file, so that an item's group does not depend on which others are kept.
    sharing = groups(questions)
    questions = [question for question in questions if question.id in by_id]
    every = [
        _study(variant, questions, by_id, sharing, slug=slug, title=title, manifest=manifest) for variant in VARIANTS
    ]
    return [*every[:-1], replace(every[-1], figures=list(figures))]


def content(variant: Variant, question: Question, outcome: DocumentOutcome) -> dict[str, str]:
    """What this variant shows of a question."""
    if variant == QBOOLQ:
        return {"question": question.question}
    new_words: Mapping[str, str] = {}
    if variant == ALTBOOLQ:
        new_words = outcome.new_words
    elif variant == MASKEDBOOLQ:
        new_words = dict.fromkeys(outcome.new_words, REDACTED)
    return {"question": replaced(question.question, new_words), "passage": replaced(question.passage, new_words)}


def _study(
    variant: Variant,
    questions: list[Question],
    by_id: Mapping[str, DocumentOutcome],
    sharing: Mapping[str, str],
    *,
    slug: str,
    title: str,
    manifest: dict[str, Any],
) -> BuiltStudy:
    rows = [
        ItemRow(
            id=question.id,
            content=content(variant, question, by_id[question.id]),
            reference=question.reference,
            attributes=_attributes(variant, question, by_id[question.id]),
            group=sharing.get(question.id, ""),
        )
        for question in questions
    ]
    name = f"{slug}-{variant.key}"
    more: dict[str, Any] = {"variant": variant.name}
    if variant == ALTBOOLQ:
        more["replacements"] = {question.id: by_id[question.id].new_words for question in questions}
    references = Counter(row.reference for row in rows)
    shares = ", ".join(f"{references[value]} {value}" for value in ("yes", "no"))
    return BuiltStudy(
        settings=settings(name, f"{title}: {variant.name}", instructions=variant.instructions),
        rows=rows,
        manifest=manifest | more,
        summary=[f"{variant.name}: {len(rows)} items, {shares}"]
        + (lines(manifest["quality"]) if variant == ALTBOOLQ else []),
    )


def _attributes(variant: Variant, question: Question, outcome: DocumentOutcome) -> dict[str, str]:
    attributes = {"variant": variant.name, "title": question.title}
    if variant == ALTBOOLQ and outcome.groups:
        match = all(group.cluster_match == 1.0 for group in outcome.groups)
        attributes["clusters"] = "all match" if match else "some differ"
    return attributes
