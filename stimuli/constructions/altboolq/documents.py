"""Documents of BoolQ, and which of their words are selected, grouped and changed together (section 4.1)."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpus.word_vectors import Matrix
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.vectors import Group, WordVectors
from stimuli.constructions.articles import article
from stimuli.datasets.boolq import Question

# Phonetic letters and marks of stress and length, without those that stand for an apostrophe in names (Hawaiʻi).
PHONETIC = "\u0250-\u02b8\u02c0-\u02ff\u1d00-\u1dbf"
# A pronunciation between slashes (/suːˈdæn, -ˈdɑːn/) or alone in its brackets; plain letters are sounds there too.
PRONOUNCED = (
    rf"(?<![\w/])/(?!\s)[^/\n]{{0,80}}[{PHONETIC}][^/\n]{{0,80}}/"
    rf"|[(\[][^()\[\]/:;,\n]{{0,80}}[{PHONETIC}][^()\[\]/:;,\n]{{0,80}}[)\]]"
)
# Words of two characters or more. What stands between them is never touched, so `nation's` keeps its 's.
WORD = rf"\b(?!\w*[{PHONETIC}])\w\w+\b"
WORDS = re.compile(rf"{PRONOUNCED}|(?P<word>{WORD})")
# An article is small, except where a sentence begins: `vitamin A levels` has none.
ARTICLE = rf"(?<![\w'’-])(?P<article>an?|An|AN|(?<!\w\s)A)(?=\s+[\"'`“‘]*(?P<next>{WORD}))"
ARTICLES_AND_WORDS = re.compile(rf"{PRONOUNCED}|{ARTICLE}|(?P<word>{WORD})")
REDACTED = "redacted"


@dataclass(frozen=True, slots=True)
class Document:
    """Section 4: a question and its passage together. `counts` is how often each word occurs, in lower case."""

    id: str
    text: str
    counts: Mapping[str, int]

    @property
    def length(self) -> int:
        return sum(self.counts.values())


def document(question: Question) -> Document:
    text = f"{question.passage}\n{question.question}"
    return Document(question.id, text, Counter(words_of(text)))


def words_of(text: str) -> list[str]:
    return [match["word"].lower() for match in WORDS.finditer(text) if match["word"]]


def may_change(word: str) -> bool:
    """Not numerals (2017, 1990s, 20th): another number is no other word, and a word in its place is no sentence."""
    return word[0].isalpha()


def document_frequencies(documents: Iterable[Document]) -> Counter[str]:
    """In how many documents each word occurs."""
    frequencies: Counter[str] = Counter()
    for one in documents:
        frequencies.update(one.counts.keys())
    return frequencies


def replaced(text: str, new_words: Mapping[str, str]) -> str:
    """The text with `new_words` (lower case) exchanged, cased like those they stand for, with the right `a` or `an`."""

    def exchanged(match: re.Match[str]) -> str:
        word = match["article"] or match["word"]
        if word is None:
            return match.group()
        new = new_words.get(word.lower())
        if new is None and match["article"]:
            following = new_words.get(match["next"].lower())
            return word if following is None else _agreeing(word, following)
        return word if new is None else cased_like(word, new)

    return ARTICLES_AND_WORDS.sub(exchanged, text)


def _agreeing(old: str, following: str) -> str:
    """The article before a new word, cased like the old one. New words have lost their case: nfl has no vowel."""
    new = article(following if re.search("[aeiouy]", following.lower()) else following.upper())
    if old == "AN":
        return new.upper()
    return new.capitalize() if old[0] == "A" else new


def cased_like(word: str, new: str) -> str:
    """`new` in lower case, in capitals or capitalized, as `word` is; other mixtures by their first letter."""
    if word.lower() == word:
        return new.lower()
    if word.upper() == word:
        return new.upper()
    return new[:1].upper() + new[1:].lower() if word[:1].isupper() else new.lower()


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
    matrix: Matrix = unit @ unit.T - np.float32(alpha) * np.log(smaller).astype(np.float32)
    return matrix


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
    singletons: list[Group] = [(word,) for word in sorted(set(words) - set(linked))]
    if not linked:
        return singletons
    matrix = weights(
        vectors.unit[vectors.rows(linked)], [document.counts[word] for word in linked], alpha=parameters.alpha
    )
    number, labels = connected_components(matrix > parameters.grouping_cutoff, directed=False)
    together = [
        tuple(word for word, label in zip(linked, labels, strict=True) if label == one) for one in range(number)
    ]
    return together + singletons


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
