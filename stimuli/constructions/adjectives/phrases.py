"""Phrases out of lemmatized words: nouns get their articles, verbs their forms.

`eat fish in water` is `eats fish in water`, `surround by water` is `surrounded by water`. What cannot be repaired for
certain is refused.
"""

from dataclasses import dataclass, field

from stimuli.constructions.adjectives.lexicon import (
    AMBIGUOUS,
    BARE,
    BEFORE_INFINITIVE,
    KINDS,
    LIGHT,
    LINKING,
    MAKING,
    MEASURES,
    NUMBERS,
    PARTICLES,
    PLURAL_ADJECTIVES,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    QUANTIFIERS,
    Lexicon,
    inflected,
)
from stimuli.constructions.articles import article

# What plainly comes in numbers after these: `bound with threads`, `used by vehicles`.
GENERAL = ("of", "by", "with")


class Unsure(ValueError):
    """Words that no phrase could be made of for certain. str() says why."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands before a noun, and the noun, which may have another noun before it."""

    determiner: str
    described: list[str]
    nouns: list[str]

    @property
    def noun(self) -> str:
        return self.nouns[-1]


@dataclass(slots=True)
class NounReader:
    """Reads words from left to right, writing the repaired phrase.

    `possessive` is the subject's (its, her, his, their); `owns`, whether `their` is the subject's; `passive`, whether
    something is done to the subject; `making`, whether it is made of something.
    """

    words: list[str]
    lexicon: Lexicon
    possessive: str = "its"
    owns: bool = True
    place: int = 0
    passive: bool = False
    making: bool = False
    written: list[str] = field(default_factory=list)

    def peek(self, ahead: int = 0) -> str:
        place = self.place + ahead
        return self.words[place] if place < len(self.words) else ""

    def take(self) -> str:
        self.place += 1
        return self.words[self.place - 1]

    def write(self, *words: str) -> None:
        self.written.extend(words)

    @property
    def ended(self) -> bool:
        return self.place >= len(self.words)

    def prepositional_phrase(self) -> None:
        preposition = self.take()
        self.write(preposition)
        if (preposition, self.peek()) in BARE:
            self.write(self.take())
        else:
            self.noun_phrase(general=self.passive and preposition in GENERAL)

    def noun_phrase(self, *, joined: bool = False, general: bool = False) -> None:
        """A noun with what stands before it, and a second one after `and` or `or`; `general` makes plurals."""
        if self.peek() in PRONOUNS:
            self.write(self.take())
            return
        parts = Parts(self._determiner(), self._adjectives(), self._nouns())
        self._write_nouns(parts, general=general)
        if self.peek() in ("and", "or") and not joined and not parts.determiner:
            self.write(self.take())
            self.noun_phrase(joined=True, general=general)

    def _determiner(self) -> str:
        word = self.peek()
        if word in QUANTIFIERS or word in POSSESSIVES or word in NUMBERS or word.isdecimal() or word == "one":
            return self.take()
        if word == "lot" and self.peek(1) == "of":
            self.place += 2
            return "lot of"
        return ""

    def _adjectives(self) -> list[str]:
        adjectives = []
        while self.lexicon.is_adjective(self.peek()):
            adjectives.append(self.take())
        return adjectives

    def _nouns(self) -> list[str]:
        """One noun, or two that are known to stand together."""
        first = self.peek()
        if not self.lexicon.is_noun(first):
            raise Unsure(f"{first!r} is not a noun for certain" if first else "a noun is missing")
        self.place += 1
        second = self.peek()
        if not self.lexicon.is_noun(second, least=0.4):
            return [first]
        if not self.lexicon.stand_together(first, second):
            raise Unsure(f"{first!r} and {second!r} are not known to stand together")
        return [first, self.take()]

    def _write_nouns(self, parts: Parts, *, general: bool) -> None:
        several = not PLURAL_ADJECTIVES.isdisjoint(parts.described)
        noun, number = parts.noun, self._number(parts.noun, several=several)
        if several and number != "count":
            raise Unsure(f"{noun!r} is not counted")
        general = general or several
        opening, plural = self._determined(parts, number, general=general)
        form = inflected(noun, "NNS") if plural else noun
        self.write(*opening.split(), *parts.described, *parts.nouns[:-1], form)
        if self.peek() == "of":
            self.write(self.take())
            self.noun_phrase(joined=True, general=plural or noun in KINDS or noun in MEASURES)

    def _number(self, noun: str, *, several: bool) -> str:
        before = self.written[-1] if self.written else ""
        if self.making and not several and before in ("of", "from", "with") and self.lexicon.is_material(noun):
            return "mass"
        number = self.lexicon.number(noun)
        if not number or noun in AMBIGUOUS:
            raise Unsure(f"it is not certain how {noun!r} is counted")
        return number

    def _determined(self, parts: Parts, number: str, *, general: bool) -> tuple[str, bool]:
        """What stands before the noun, and whether the noun is a plural."""
        plural = number == "count" and (general or self.lexicon.is_mostly_plural(parts.noun))
        if plural and self.lexicon.is_seldom_plural(parts.noun):
            raise Unsure(f"whether {parts.noun!r} was one or many is not certain")
        if parts.determiner in POSSESSIVES:
            return self._whose(parts.determiner), plural
        if parts.determiner:
            return self._counted(parts, number)
        if self.peek() == "of" and parts.noun not in MEASURES and not general:
            return "the", plural
        if number == "definite":
            if parts.described:
                raise Unsure(f"which {parts.noun!r} is meant is not certain")
            return "the", False
        return "" if number == "mass" or plural else article((parts.described + parts.nouns)[0]), plural

    def _counted(self, parts: Parts, number: str) -> tuple[str, bool]:
        """The number or quantifier, and whether it wants a plural."""
        determiner = parts.determiner
        if determiner == "one":
            return self._one(), False
        if determiner == "lot of":
            return "a lot of", number == "count"
        if determiner in QUANTIFIERS:
            quantifier = QUANTIFIERS[determiner][number != "count"]
            if not quantifier or number == "definite":
                raise Unsure(f"{determiner!r} does not go with {parts.noun!r}")
            return quantifier, number == "count"
        if number != "count":
            raise Unsure(f"{parts.noun!r} is not counted")
        return determiner, determiner != "1"

    def _whose(self, possessive: str) -> str:
        """The subject is one thing, whatever its number was in ConceptNet's sentence."""
        if possessive == "your":
            return possessive
        if not self.owns:
            raise Unsure(f"whose {possessive!r} is, is not certain")
        return self.possessive

    def _one(self) -> str:
        if self.written != ["has"]:
            raise Unsure("'one' may have been \"one's\"")
        return "one"


class Reader(NounReader):
    """Reads a tail from left to right, writing the repaired phrase."""

    def verb_phrase(self, form: str) -> None:
        """A verb in this form with what belongs to it, up to the end."""
        verb = self.take() if not self.ended else ""
        if verb == "have":
            self.write(inflected(verb, form))
            return self.noun_phrase_to_the_end()
        if verb in ("be", "not", "can") or not self.lexicon.is_verb(verb):
            raise Unsure(f"{verb!r} is not a verb for certain")
        self.write(inflected(verb, form))
        if self.peek() in ("and", "or") and self.lexicon.is_verb(self.peek(1)):
            self.write(self.take())
            return self.verb_phrase(form)
        if self.peek() == "to" and verb in BEFORE_INFINITIVE:
            self.write(self.take())
            return self.verb_phrase("VB")
        has_object = self._object(verb)
        self.adjuncts()
        if not has_object and not self.lexicon.stands_alone(verb):
            raise Unsure(f"{verb!r} wants an object")
        return None

    def participle(self) -> None:
        """What is done to the subject: `surround by water`."""
        verb = self.take() if not self.ended else ""
        if not self.lexicon.is_verb(verb) or not self.lexicon.is_passive(verb):
            raise Unsure(f"{verb!r} is not said in the passive")
        if verb in LIGHT and self.ended:
            raise Unsure(f"{verb!r} alone says too little")
        self.write(inflected(verb, "VBN"))
        self.passive, self.making = True, verb in MAKING
        purpose = {"to": "VB", "for": "VBG"}.get(self.peek())
        if purpose and self.lexicon.is_verb(self.peek(1)) and not self.lexicon.is_noun(self.peek(1)):
            self.write(self.take())
            self.passive = False
            return self.verb_phrase(purpose)
        return self.adjuncts()

    def _object(self, verb: str) -> bool:
        if self.ended or self.peek() in PREPOSITIONS or self._at_adverb():
            return False
        if not self.lexicon.takes_object(verb):
            raise Unsure(f"{verb!r} is not said with an object")
        if verb in LINKING:
            raise Unsure(f"what follows {verb!r} may not have been a noun")
        self.noun_phrase()
        return True

    def _at_adverb(self) -> bool:
        return self.peek() in PARTICLES or self.lexicon.is_adverb(self.peek())

    def adjuncts(self) -> None:
        """Adverbs and phrases with prepositions, to the end; at most two of them."""
        for _ in range(2):
            if self.ended:
                return
            if self.peek() in PREPOSITIONS and self.peek(1) and self.peek(1) not in PREPOSITIONS:
                self.prepositional_phrase()
            elif self._at_adverb() and self.peek(1) != "to":
                self.write(self.take())
            else:
                break
        self.end()

    def end(self) -> None:
        if not self.ended:
            raise Unsure(f"{' '.join(self.words[self.place :])!r} is left over")

    def noun_phrase_to_the_end(self) -> None:
        self.noun_phrase()
        self.adjuncts()
