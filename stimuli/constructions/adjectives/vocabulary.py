"""The words that ConceptNet's triples are made of: what the corpus pass looks for."""

from collections.abc import Iterable, Iterator

from stimuli.constructions.adjectives.finder import ModifierFinder
from stimuli.constructions.adjectives.triples import Knowledge, Triple


def finder_for(knowledge: Knowledge) -> ModifierFinder:
    """Looks for the modifiers of every head, and counts how every word of the triples is used."""
    heads = frozenset(knowledge.heads)
    words = heads | frozenset(word for triple in knowledge.triples for word in _words(triple))
    return ModifierFinder(heads, words, tuple(_plurals(sorted(words))), tuple(_participles(sorted(words))))


def _words(triple: Triple) -> Iterator[str]:
    return (word for word in triple.tail.split() if word.isascii() and word.isalpha())


def _plurals(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each word's plurals with the word, as lemminflect has them or forms them."""
    from lemminflect import getInflection

    # ConceptNet's lemmatizer made "person" of "people"; lemminflect goes back to "persons".
    yield "people", "person"
    taken = {"people"}
    for word in words:
        for plural in getInflection(word, tag="NNS"):
            if plural != word and plural not in taken:
                taken.add(plural)
                yield plural, word


def _participles(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    from lemminflect import getInflection

    taken: set[str] = set()
    for word in words:
        for participle in getInflection(word, tag="VBN", inflect_oov=False):
            if participle not in taken:
                taken.add(participle)
                yield participle, word
