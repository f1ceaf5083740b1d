"""The grammar: frames with a place for a head, an attractor and verbs, each word in both numbers.

A frame is filled in every combination of numbers, so singular and plural heads, and attractors that
match or do not match, are equally many. Only the main verb differs within a pair. The constructions are
among those of Marvin and Linzen (2018, section 4); the words and sentences are this project's own.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

from annotation.itemfile import ItemRow

Number = Literal["singular", "plural"]
NUMBERS: tuple[Number, Number] = ("singular", "plural")


@dataclass(frozen=True, slots=True)
class Word:
    """A noun or a verb in the third person, in both numbers."""

    singular: str
    plural: str

    def in_number(self, number: Number) -> str:
        return self.singular if number == "singular" else self.plural


def noun(singular: str, plural: str | None = None) -> Word:
    return Word(singular, plural or singular + "s")


def verb(plural: str, singular: str | None = None) -> Word:
    return Word(singular or plural + "s", plural)


BE = Word("is", "are")
HAVE = Word("has", "have")


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and its twin that is wrong, both made of the set of words `name`; `form` tells pairs of like numbers
    apart.
    """

    name: str
    phenomenon: str
    head: Number
    attractor: Number | None
    attraction: str
    grammatical: str
    ungrammatical: str
    form: str = ""

    @property
    def id(self) -> str:
        return "-".join(filter(None, [self.name, self.head, self.attractor, self.form]))

    def row(self, kind: str = "target") -> ItemRow:
        """A target, or a check by another id, of which nothing else is said."""
        content = {"options": {"grammatical": self.grammatical, "ungrammatical": self.ungrammatical}}
        if kind != "target":
            return ItemRow(f"{kind}-{self.id}", content, kind, "grammatical")
        attributes = {
            "phenomenon": self.phenomenon,
            "head": self.head,
            "attractor": self.attractor or "none",
            "attraction": self.attraction,
        }
        return ItemRow(self.id, content, kind, "grammatical", attributes, self.name)


@dataclass(frozen=True, slots=True)
class Frame:
    """One sentence with open places.

    `template` names {head}, {main} and, where the construction has them, {attractor} and {inner}: a second
    verb, which agrees with the noun that `inner_agrees_with` names.
    """

    name: str
    phenomenon: str
    template: str
    head: Word
    main: Word
    attractor: Word | None = None
    inner: Word | None = None
    inner_agrees_with: Literal["head", "attractor"] = "head"

    def pairs(self) -> list[Pair]:
        """All combinations of numbers: four with an attractor, two without."""
        if self.attractor is None:
            return [self._pair(head, None, "no attractor") for head in NUMBERS]
        return [
            self._pair(head, attractor, "matching" if attractor == head else "mismatching")
            for head, attractor in product(NUMBERS, NUMBERS)
        ]

    def _pair(self, head: Number, attractor: Number | None, attraction: str) -> Pair:
        """`attraction`: whether the noun between head and verb agrees with the head."""
        words = {"head": self.head.in_number(head)}
        if self.attractor is not None and attractor is not None:
            words["attractor"] = self.attractor.in_number(attractor)
        if self.inner is not None:
            governor = attractor if self.inner_agrees_with == "attractor" else head
            assert governor is not None, f"{self.name}: the inner verb agrees with an attractor that is not there"
            words["inner"] = self.inner.in_number(governor)
        wrong: Number = "plural" if head == "singular" else "singular"
        good, bad = (self.template.format(**words, main=self.main.in_number(number)) for number in (head, wrong))
        return Pair(self.name, self.phenomenon, head, attractor, attraction, good, bad)
