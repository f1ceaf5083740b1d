"""Grouping and selection (section 4.1): which words of a document change, and which of them change together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpus.word_vectors.raw import Matrix
from stimuli.constructions.altboolq.documents import Document
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.vectors.table import WordVectors

Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the documents have in common: how many there are, and in how many each word occurs."""

    documents: int
    frequencies: Mapping[str, int]
    # Words that carry structure rather than content, and numerals; never chosen, and never in another's place.
    structural: frozenset[str]

    def too_popular(self, word: str, *, max_doc_freq: float) -> bool:
        return self.frequencies.get(word, 0) > max_doc_freq * self.documents


def tfidf(count: int, *, documents: int, containing: int) -> float:
    """Equation 2, with f_t(d) read as the count of t in d (README.md says why)."""
    return (1 + math.log(count)) * (1 + math.log((1 + documents) / (1 + containing)))


def weights(unit: Matrix, counts: Sequence[int], *, alpha: float) -> Matrix:
    """Equation 1 for all pairs: the cosine less α times the logarithm of the smaller of both counts."""
    smaller = np.minimum.outer(np.array(counts), np.array(counts))
    found: Matrix = unit @ unit.T - np.float32(alpha) * np.log(smaller).astype(np.float32)
    return found


def groups(document: Document, corpus: Corpus, vectors: WordVectors, parameters: Parameters) -> list[Group]:
    """Connected components of the words whose weight is above the cutoff; the others are alone.

    Words without a vector, too popular or structural ones are connected to none.
    """
    from scipy.sparse.csgraph import connected_components

    words = sorted(document.counts)
    linked = [
        word
        for word in words
        if word in vectors.index
        and word not in corpus.structural
        and not corpus.too_popular(word, max_doc_freq=parameters.max_doc_freq)
    ]
    alone: list[Group] = [(word,) for word in sorted(set(words) - set(linked))]
    if not linked:
        return alone
    found = weights(
        vectors.unit[vectors.rows(linked)], [document.counts[word] for word in linked], alpha=parameters.alpha
    )
    number, labels = connected_components(found > parameters.grouping_cutoff, directed=False)
    together = [
        tuple(word for word, label in zip(linked, labels, strict=True) if label == one) for one in range(number)
    ]
    return together + alone


def select(document: Document, corpus: Corpus, vectors: WordVectors, parameters: Parameters) -> list[Group]:
    """The groups that change: by falling TF-IDF, until they are more than `freq_cutoff` of the document."""
    group_of = {word: group for group in groups(document, corpus, vectors, parameters) for word in group}
    chosen: list[Group] = []
    seen: set[str] = set()
    covered = 0
    for word in _by_tfidf(document, corpus, vectors, parameters):
        group = group_of[word]
        if word in seen or len(group) > parameters.group_size:
            continue
        seen.update(group)
        chosen.append(group)
        covered += sum(document.counts[one] for one in group)
        if covered > parameters.freq_cutoff * document.length:
            break
    return chosen


def _by_tfidf(document: Document, corpus: Corpus, vectors: WordVectors, parameters: Parameters) -> list[str]:
    """The words that may be chosen for their own sake, the weightiest first."""
    scored = []
    for word, count in document.counts.items():
        if count < parameters.min_term_count or word not in vectors.index or word in corpus.structural:
            continue
        score = tfidf(count, documents=corpus.documents, containing=corpus.frequencies[word])
        if score >= parameters.tfidf_cutoff:
            scored.append((-score, word))
    return [word for _, word in sorted(scored)]
