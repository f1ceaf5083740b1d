"""The documents, on all cores: tags, vectors, selections and clusters, which must be known of all before one can be
changed; and the work on each. What is finished is kept, so that a killed build goes on from there.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from tqdm import tqdm

from corpus.parsing import PIPELINE
from corpus.sweep import in_order
from corpus.word_vectors import read_word_vectors
from corpus.workplace import Finished, OnProgress, bar
from stimuli.constructions.altboolq.documents import (
    REDACTED,
    Corpus,
    Document,
    document,
    document_frequencies,
    may_change,
    select,
)
from stimuli.constructions.altboolq.kinds import in_document, kind, likeness, replacements, structural_words
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.vectors import (
    Group,
    NewGroup,
    Space,
    WordVectors,
    cluster,
    replace_group,
    unit_vectors,
)
from stimuli.datasets.boolq import Question

# Documents handed to a process at once.
PORTION = 8


def torn(forms: dict[str, set[str]], selection: Sequence[Group]) -> list[list[str]]:
    """The forms of each lemma that are not all in one group, or of which only some were selected."""
    group_of = {word: number for number, group in enumerate(selection) for word in group}
    errors = [sorted(words) for words in forms.values() if len({group_of.get(word, -1) for word in words}) > 1]
    return sorted(errors)


@dataclass(frozen=True, slots=True)
class Job:
    """One document with the groups of its words that change."""

    document: Document
    selection: list[Group]
    # Each lemma with its forms in the document, and the kind of each selected word.
    forms: dict[str, set[str]]
    kinds: dict[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is the same for all documents."""

    space: Space
    seed: int
    keep_lemma_errors: bool


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """One document's outcome. `new_words` is empty where lemma errors set the document aside."""

    id: str
    lemma_errors: list[list[str]]
    groups: list[NewGroup]
    selected: list[str]
    unknown: list[str]

    @property
    def new_words(self) -> dict[str, str]:
        """Old word → new word. Selected words that found no replacement are redacted like unknown ones."""
        by_word = dict.fromkeys([*self.unknown, *self.selected], REDACTED)
        for group in self.groups:
            by_word.update(zip(group.words, group.new, strict=True))
        return by_word

    def as_json(self) -> dict[str, Any]:
        groups = [
            [one.words, one.new, one.cluster_match, one.similarity, one.of_kind, one.in_band] for one in self.groups
        ]
        return {
            "id": self.id,
            "lemma_errors": self.lemma_errors,
            "groups": groups,
            "selected": self.selected,
            "unknown": self.unknown,
        }


def from_json(value: dict[str, Any]) -> DocumentOutcome:
    groups = [NewGroup(tuple(words), tuple(new), *figures) for words, new, *figures in value["groups"]]
    return DocumentOutcome(value["id"], value["lemma_errors"], groups, value["selected"], value["unknown"])


def work(job: Job, plan: Plan) -> DocumentOutcome:
    """One document: its lemma errors, and new words unless those set it aside. Depends on no other document."""
    index = plan.space.vectors.index
    # Structural words are kept even where the vectors have none for them: without `the`, nothing is a passage.
    may_be_unknown = job.document.counts.keys() - index.keys() - plan.space.structural
    unknown = sorted(word for word in may_be_unknown if may_change(word))
    selected = [word for group in job.selection for word in group]
    errors = torn(job.forms, job.selection)
    new_groups: list[NewGroup] = []
    if not errors or plan.keep_lemma_errors:
        rng = random.Random(f"{plan.seed}/{job.document.id}")
        avoid = set(job.document.counts)
        for group in job.selection:
            new = replace_group(group, plan.space, avoid=avoid, rng=rng, kinds=job.kinds)
            if new is not None:
                new_groups.append(new)
                avoid.update(new.new)
    return DocumentOutcome(job.document.id, errors, new_groups, selected, unknown)


def finished_work(
    jobs: Sequence[Job],
    plan: Plan,
    path: Path,
    about: dict[str, Any],
    *,
    processes: int,
    afresh: bool,
    on_progress: OnProgress,
) -> tuple[list[DocumentOutcome], int]:
    """`work` for all jobs, in their order, and how many of them were in `path` from an earlier build."""
    with closing(Finished(path, about, afresh=afresh)) as finished:
        # A longer build may have been here before; only as many as are asked for are taken.
        outcomes = [from_json(value) for value, _ in zip(finished, jobs, strict=False)]
        earlier = len(outcomes)
        with bar("documents", len(jobs), unit="doc", on_progress=on_progress, completed=earlier) as update:
            rest = jobs[earlier:]
            portions = [rest[start : start + PORTION] for start in range(0, len(rest), PORTION)]
            begin = partial(_same, plan)
            for batch in in_order(portions, _work_on, processes=min(processes, len(portions)), begin=begin):
                for one in batch:
                    finished.add(one.as_json())
                    outcomes.append(one)
                    update(1)
    return outcomes, earlier


def _same(plan: Plan) -> Plan:
    return plan


def _work_on(jobs: Sequence[Job], plan: Plan) -> list[DocumentOutcome]:
    return [work(job, plan) for job in jobs]


# Texts handed to a process at once.
TEXTS = 32


@dataclass(frozen=True, slots=True)
class Tagged:
    """All words in lower case: each lemma with the words it occurs as, each word with its kinds and how often.

    Kinds are those of the passage; of the question, which knows no capitals, only for words that it alone has.
    """

    forms: dict[str, set[str]]
    kinds: dict[str, Counter[str]]


class Tagger:
    """spaCy without what neither lemmas nor tags need."""

    def __init__(self) -> None:
        self._nlp: Language = spacy.load(PIPELINE, exclude=["parser", "ner", "senter"])

    def read(self, text: str) -> Tagged:
        forms: dict[str, set[str]] = defaultdict(set)
        passage: dict[str, Counter[str]] = defaultdict(Counter)
        question: dict[str, Counter[str]] = defaultdict(Counter)
        newline = text.rfind("\n")
        for token in self._nlp(text):
            forms[token.lemma_.lower()].add(token.lower_)
            counted = question if token.idx > newline else passage
            counted[token.lower_][kind(token.tag_, token.text)] += 1
        return Tagged(dict(forms), {**question, **passage})


def tagged(texts: Sequence[str], *, processes: int) -> list[Tagged]:
    """All texts in their order; each is read by itself, so that it is tagged alike whatever stands around it."""
    portions = [texts[start : start + TEXTS] for start in range(0, len(texts), TEXTS)]
    tags: list[Tagged] = []
    with tqdm(total=len(texts), desc="tags", unit="doc", mininterval=1, disable=None) as bar:
        for several in in_order(portions, _read, processes=min(processes, len(portions)), begin=Tagger):
            tags += several
            bar.update(len(several))
    return tags


def _read(texts: Sequence[str], tagger: Tagger) -> list[Tagged]:
    return [tagger.read(text) for text in texts]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The documents with their selections, and the space in which replacements are looked for."""

    jobs: list[Job]
    space: Space
    selected: int


def prepare(
    questions: Sequence[Question], vectors: Path, parameters: Parameters, *, seed: int, processes: int
) -> Prepared:
    """Statistics, tags, vectors, selections and clusters of all questions of the file."""
    documents = [document(question) for question in questions]
    frequencies = document_frequencies(documents)
    staying = structural_words().union(word for word in frequencies if not may_change(word))
    corpus = Corpus(len(documents), frequencies, staying)
    word_vectors = _word_vectors(vectors, corpus, parameters, words=frequencies.keys())
    read = tagged([one.text for one in documents], processes=processes)
    everywhere = kinds_everywhere(read)
    jobs = [
        _job(one, select(one, corpus, word_vectors, parameters), tags, everywhere)
        for one, tags in zip(documents, read, strict=True)
    ]
    selected = [word for job in jobs for group in job.selection for word in group]
    clusters = cluster(selected, word_vectors, parameters, seed=seed)
    alike = likeness(word_vectors.words, everywhere, band=parameters.frequency_band, applies=parameters.alike)
    return Prepared(jobs, Space(word_vectors, clusters, corpus.structural, alike), len(set(selected)))


def kinds_everywhere(read: Sequence[Tagged]) -> dict[str, Counter[str]]:
    """How often each word is of which kind, in all documents."""
    by_word: dict[str, Counter[str]] = {}
    for one in read:
        for word, kinds in one.kinds.items():
            by_word.setdefault(word, Counter()).update(kinds)
    return by_word


def _job(document: Document, selection: list[Group], tags: Tagged, everywhere: dict[str, Counter[str]]) -> Job:
    words = [word for group in selection for word in group]
    kinds = {word: in_document(tags.kinds.get(word, {}), everywhere.get(word, {})) for word in words}
    return Job(document, selection, tags.forms, kinds)


def _word_vectors(path: Path, corpus: Corpus, parameters: Parameters, *, words: Collection[str]) -> WordVectors:
    raw = read_word_vectors(path, words=words, candidates=parameters.candidates, pieces=parameters.pieces)
    may_replace = replacements(
        raw.frequent,
        structural=corpus.structural,
        frequencies=corpus.frequencies,
        most=parameters.max_doc_freq * corpus.documents,
    )
    return unit_vectors(raw, may_replace=may_replace, center=parameters.center)
