"""Counts of many sentences, in memory: what one transaction adds to a store."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from scoring.baselines.associations.sentences import SentenceFacts

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
        for joined, lemmas, events in sentences:
            words = joined.split(" ")
            self.sentences += 1
            self.words += len(words)
            self.trigrams.update(trigrams(words))
            self._add_lemmas(lemmas)
            for verb, arguments in events:
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
