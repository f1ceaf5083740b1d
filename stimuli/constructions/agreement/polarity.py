"""Negative polarity: `ever` wants a negation that stands above it (Marvin and Linzen 2018, section 4).

`No guest has ever laughed` against `The guest has ever laughed`. With a relative clause there is a second form
of the wrong sentence, in which the negation is there but inside the clause: `The guest that no nurse met has …`.
"""

from dataclasses import dataclass
from itertools import product

from stimuli.constructions.agreement.grammar import HAVE, NUMBERS, Number, Word


@dataclass(frozen=True, slots=True)
class LicensingPair:
    """`misplaced` is whether the wrong sentence has the negation in the wrong place, rather than none."""

    head: Number
    attractor: Number | None
    misplaced: bool
    grammatical: str
    ungrammatical: str

    @property
    def attraction(self) -> str:
        if self.attractor is None:
            return "no attractor"
        return "negation in the clause" if self.misplaced else "no negation"


@dataclass(frozen=True, slots=True)
class Licensing:
    """A set of words for it; `attractor` and `met` make the relative clause."""

    name: str
    phenomenon: str
    head: Word
    ending: str
    attractor: Word | None = None
    met: str = ""

    def pairs(self) -> list[LicensingPair]:
        """Two without a clause; with one, eight: numbers of head and attractor, and where the negation is."""
        if self.attractor is None:
            return [
                LicensingPair(head, None, False, self._simple("No", head), self._simple("The", head))
                for head in NUMBERS
            ]
        return [
            LicensingPair(
                head,
                inner,
                misplaced,
                self._relative("No", head, "the", inner),
                self._relative("The", head, "no" if misplaced else "the", inner),
            )
            for head, inner, misplaced in product(NUMBERS, NUMBERS, (False, True))
        ]

    def _simple(self, first: str, head: Number) -> str:
        return f"{first} {self.head.in_number(head)} {HAVE.in_number(head)} ever {self.ending}."

    def _relative(self, first: str, head: Number, second: str, inner: Number) -> str:
        assert self.attractor is not None
        clause = f"that {second} {self.attractor.in_number(inner)} {self.met}"
        return f"{first} {self.head.in_number(head)} {clause} {HAVE.in_number(head)} ever {self.ending}."
