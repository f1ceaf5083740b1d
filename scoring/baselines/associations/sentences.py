"""A parsed text as what is counted of it: its words, its content lemmas with their places, and its events.

A sentence is kept as lists, because it goes through JSON on its way from the processes that parse.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scoring.baselines.associations.events import LEMMA, events

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

# What stands in the store for a part of speech.
CLASSES = {"NOUN": "N", "VERB": "V", "ADJ": "A"}
# [words joined by spaces, [[place, lemma, class] …], [[verb, [[relation, noun] …]] …]]
SentenceFacts = list[Any]


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
