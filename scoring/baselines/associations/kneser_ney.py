"""Interpolated Kneser–Ney: the probability of a sentence from its three-word sequences.

Kneser and Ney 1995; interpolated as in Chen and Goodman 1999, section 2.7, with one discount for each length,
n1 / (n1 + 2 n2) (Ney, Essen and Kneser 1994). Sequences that begin a sentence keep their counts, since nothing stands
before them (Heafield et al. 2013). Rules N1 to N5 in docs/metrics.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.baselines.associations.places import END, START
from scoring.baselines.associations.reading import Associations

ORDER = 3


class TooLittleText(ValueError):
    """The discounts cannot be estimated: no sequence of some length was met exactly once, or none exactly twice."""


@dataclass(frozen=True, slots=True)
class KneserNey:
    """`discounts` are those of one word, two and three in a row."""

    counts: Associations
    discounts: tuple[float, float, float]

    @classmethod
    def estimated(cls, counts: Associations) -> "KneserNey":
        """With the discounts that the counts themselves give. TooLittleText if they give none."""
        one, two, three = (_discount(counts, length) for length in range(1, ORDER + 1))
        return cls(counts, (one, two, three))

    def sentence(self, words: Sequence[str]) -> list[float]:
        """Natural-log probability of each word given the two before it, and of the sentence's end after the last."""
        padded = (START, *words, END)
        return [
            math.log(self.probability(padded[place], padded[max(0, place - ORDER + 1) : place]))
            for place in range(1, len(padded))
        ]

    def probability(self, word: str, before: tuple[str, ...]) -> float:
        """P(word | before), at most two words before. Over all words, the end and one unknown word it sums to 1."""
        total, types = self.counts.context(before)
        if total == 0:
            # Never met; not even the empty sequence only if the store is empty, which has no discounts.
            return self.probability(word, before[1:])
        discount = self.discounts[len(before)]
        shorter = self.probability(word, before[1:]) if before else 1 / (types + 1)
        own = max(self.counts.ngram((*before, word)) - discount, 0)
        return (own + discount * types * shorter) / total


def _discount(counts: Associations, length: int) -> float:
    once, twice = counts.rare(length, 1), counts.rare(length, 2)
    if not once or not twice:
        raise TooLittleText(
            f"the store has too little text for n-grams: of {length} in a row, {once} were met once and {twice} twice"
        )
    return once / (once + 2 * twice)
