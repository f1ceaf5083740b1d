"""What is counted of a parsed text, its words, its content lemmas with their places, and its events; and the counts of
many sentences, in memory: what one transaction adds to a store.

A sentence is kept as lists, because it goes through JSON on its way from the processes that parse.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scoring.baselines.associations.events import LEMMA, events

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

# What stands in the store for a part of speech.
CLASSES = {"NOUN": "N", "VERB": "V", "ADJ": "A"}
# [words joined by spaces, [[place, lemma, class] …], [[verb, [[relation, noun] …]] …]]
SentenceFacts = list[Any]

# How far to the right of a word another counts as near it, unless a store says otherwise (the published unstructured
# baseline).
WINDOW = 10
# Words are in lower case, so that these are none.
START, END = "<S>", "</S>"


@dataclass(slots=True)
class Tally:
    """Keys are the columns of the store's tables (scoring/baselines/associations/schema.py)."""

    sentences: int = 0
    words: int = 0
    window: int = WINDOW
    triples: Counter[tuple[str, ...]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, ...]] = field(default_factory=Counter)
    lemmas: Counter[tuple[str, ...]] = field(default_factory=Counter)
    windows: Counter[tuple[str, ...]] = field(default_factory=Counter)
    trigrams: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def add(self, sentences: Iterable[SentenceFacts]) -> None:
        for joined, lemmas, verbs in sentences:
            words = joined.split(" ")
            self.sentences += 1
            self.words += len(words)
            self.trigrams.update(trigrams(words))
            self._add_lemmas(lemmas)
            for verb, arguments in verbs:
                self._add_event(verb, [(relation, noun) for relation, noun in arguments])

    def _add_event(self, verb: str, arguments: list[tuple[str, str]]) -> None:
        self.triples.update((relation, verb, noun) for relation, noun in arguments)
        for one, other in combinations(arguments, 2):
            if one[0] != other[0]:
                # Both ways, so that either can be asked for by the other.
                self.pairs[one + other] += 1
                self.pairs[other + one] += 1

    def _add_lemmas(self, lemmas: list[tuple[int, str, str]]) -> None:
        self.lemmas.update((lemma, kind) for _, lemma, kind in lemmas)
        for number, (place, left, _) in enumerate(lemmas):
            for further, right, _ in lemmas[number + 1 :]:
                if further - place > self.window:
                    break
                self.windows[left, right] += 1


def trigrams(words: list[str]) -> Iterable[tuple[str, str, str]]:
    """Every three words in a row, with one start before the first and one end after the last."""
    padded = [START, *words, END]
    return zip(padded, padded[1:], padded[2:], strict=False)


def sentence_facts(doc: "Doc") -> Iterator[SentenceFacts]:
    """What is counted of each sentence of a doc that has trees."""
    for sentence in doc.sents:
        words = list(tokens(sentence))
        if words:
            verbs = [[event.verb, [[one.relation, one.lemma] for one in event.arguments]] for event in events(sentence)]
            yield [" ".join(words), list(content_lemmas(sentence)), verbs]


def tokens(text: "Span | Doc") -> Iterator[str]:
    """Words and punctuation in lower case, as n-grams see them. White space inside a word becomes `_`."""
    for token in text:
        if not token.is_space:
            yield "_".join(token.lower_.split())


def content_lemmas(sentence: "Span") -> Iterator[list[Any]]:
    """Place, lemma and class of every noun, verb and adjective in plain letters."""
    place = 0
    for token in sentence:
        if token.is_space:
            continue
        lemma = token.lemma_.lower()
        if token.pos_ in CLASSES and LEMMA.fullmatch(lemma):
            yield [place, lemma, CLASSES[token.pos_]]
        place += 1
