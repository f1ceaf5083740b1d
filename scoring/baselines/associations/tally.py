"""What is counted of a parsed text: its words, its content lemmas with their places, and its events. The pass over a
corpus that finds it; and the counts of many sentences, in memory: what one transaction adds to a store.

A sentence is kept as lists, because it goes through JSON on its way from the processes that parse.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from corpus.errors import BuildError
from scoring.baselines.associations.events import LEMMA, events
from scoring.baselines.associations.places import END, START, VERSION

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

    from corpus.parsing import Parser
    from corpus.texts import Text

# What stands in the store for a part of speech.
CLASSES = {"NOUN": "N", "VERB": "V", "ADJ": "A"}
# [words joined by spaces, [[place, lemma, class] …], [[verb, [[relation, noun] …]] …]]
SentenceFacts = list[Any]

# How far to the right of a word another counts as near it, unless a store says otherwise (the published unstructured
# baseline).
WINDOW = 10


@dataclass(slots=True)
class Tally:
    """Keys are the columns of the store's tables (scoring/baselines/associations/places.py)."""

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


@dataclass(frozen=True)
class AssociationFinder:
    """All sentences of a block, as facts. They are counted where they arrive: facts are a few times smaller."""

    name: ClassVar[str] = "associations"
    # Raised when a rule changes what is counted; stores of another version are neither added to nor scored with.
    version: ClassVar[str] = "1"

    def settings(self) -> dict[str, Any]:
        return {}

    def find(self, texts: "Sequence[Text]", parser: "Parser") -> list[SentenceFacts]:
        docs = parser.parsed_many(parser.tagged_many(texts))
        return [facts for doc in docs for facts in sentence_facts(doc)]


def counted_with(*, window: int) -> dict[str, Any]:
    """What can change the counts of a file, and what a parser here would find in a sentence that is scored.

    `window` is how far to the right of a word another counts as near it; 0 where no words near each other are counted.
    """
    # Imported here, because it loads spaCy.
    from corpus.parsing import PACKAGES
    from corpus.provenance import versions

    return {"finder": AssociationFinder.version, "schema": VERSION, "window": window, **versions(PACKAGES)}


class OtherCounting(BuildError):
    """A store that was counted by other rules or with another parser than those here."""


def require_same(before: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """OtherCounting where what a store was counted with is not what there is here."""
    if before != current:
        was, now = (
            ", ".join(f"{name} {version}" for name, version in sorted(one.items())) for one in (before, current)
        )
        raise OtherCounting(
            f"This store was counted with {was}, and here is {now}: their counts do not add up. "
            "Count into a store of another name."
        )
