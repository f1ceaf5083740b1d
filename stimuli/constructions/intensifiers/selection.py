"""Which combinations become items: the most and the least frequent of an adverb, and others drawn at random."""

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from stimuli.constructions.intensifiers.bigrams import Bigrams
from stimuli.constructions.intensifiers.cleaning import Candidate
from stimuli.constructions.intensifiers.negation import NATURAL
from stimuli.constructions.intensifiers.spelling import unknown_words

MOST, LEAST, RANDOM = "most frequent", "least frequent", "random"


@dataclass(slots=True)
class Combinations:
    """Adjective types and tokens of every adverb, and one sentence for each.

    Only the sentence drawn so far is kept, so memory grows with the types and not with the corpus. Every sentence
    has a number drawn from the seed and its own words; among the best in rank the least number wins, which is a
    fair draw in whatever order they come.
    """

    seed: int
    tokens: Counter[tuple[str, str]] = field(default_factory=Counter)
    drawn: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    seen: set[bytes] = field(default_factory=set)

    def add(self, candidate: Candidate) -> bool:
        """Count a candidate and let it take part in the draw; False for a text that was there before."""
        words = "".join(character for character in candidate.sentence.casefold() if character.isalnum())
        mark = hashlib.sha256(words.encode()).digest()[:10]
        if mark in self.seen:
            return False
        self.seen.add(mark)
        pair = (candidate.adverb, candidate.adjective)
        self.tokens[pair] += 1
        if pair not in self.drawn or self._order(candidate) < self._order(self.drawn[pair]):
            self.drawn[pair] = candidate
        return True

    def adjectives(self, adverb: str) -> list[str]:
        return sorted(adjective for one, adjective in self.drawn if one == adverb)

    def _order(self, candidate: Candidate) -> tuple[int, bytes]:
        number = hashlib.sha256(f"{self.seed}/{candidate.place}/{candidate.whole}".encode()).digest()
        return _rank(candidate), number


def _rank(candidate: Candidate) -> int:
    """Sentences that need no revision come first, then those without an unknown word, then those with capitals."""
    return (
        4 * (candidate.negation != NATURAL)
        + 2 * bool(unknown_words(candidate.whole))
        + (not candidate.whole.lstrip("\"'“‘(")[:1].isupper())
    )


def chosen(adverb: str, adjectives: Sequence[str], bigrams: Bigrams, *, most: int, seed: int) -> list[tuple[str, str]]:
    """At most `most` adjectives, each with why it is there: the two ends by bigram frequency, the rest at random.

    Only pairs that the table has can be an end: "not found" is no frequency. All are taken where there are no more.
    """
    found = sorted(
        (bigrams.pairs[adverb, one].ln_frequency, one) for one in adjectives if (adverb, one) in bigrams.pairs
    )
    ends: dict[str, str] = {}
    if found:
        ends[found[-1][1]] = MOST
    if len(found) > 1 and most > 1:
        ends[found[0][1]] = LEAST
    others = [one for one in sorted(adjectives) if one not in ends]
    drawn = random.Random(f"{seed}/{adverb}").sample(others, min(len(others), max(most - len(ends), 0)))
    return [*ends.items(), *((one, RANDOM) for one in sorted(drawn))]
