"""What must be known of all documents before one can be changed: vectors, selections, clusters."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.word_vectors.reading import read_word_vectors
from stimuli.constructions.altboolq.documents import Document, document, document_frequencies, may_change
from stimuli.constructions.altboolq.kinds import in_document, likeness
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.selection import Corpus, Group, select
from stimuli.constructions.altboolq.structural import replacements, structural_words
from stimuli.constructions.altboolq.tagging import Tagged, tagged
from stimuli.constructions.altboolq.vectors.analogy import Space
from stimuli.constructions.altboolq.vectors.clusters import cluster
from stimuli.constructions.altboolq.vectors.table import WordVectors, unit_vectors
from stimuli.constructions.altboolq.working import Job
from stimuli.datasets.boolq.source import Question


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
