"""Sentences in the declarative out of a noun and what ConceptNet says of it (ADEPT, section 4.1).

"We modify the surface text by replacing modal verbs (like can or may) with the declarative": where ConceptNet gives
the lemmas only, the declarative is built at once. A surface text is `[[a candidate]] can [[win an election]]`.
"""

import re
from dataclasses import dataclass

from stimuli.constructions.adjectives.lexicon import (
    ADVERBS_OF_DEGREE,
    COMPARING,
    LONGEST,
    PREPOSITIONS,
    Lexicon,
    inflected,
)
from stimuli.constructions.adjectives.phrases import Reader, Unsure
from stimuli.constructions.adjectives.triples import Triple
from stimuli.constructions.articles import article

ENDS = re.compile(r"\[\[(.+?)\]\]")
# ADEPT turns modal verbs into the declarative: they would blur what is plausible.
MODALS = frozenset(("can", "may", "might", "could", "will", "would", "should", "must"))
FREQUENCY = frozenset(("sometimes", "usually", "often", "always"))
DETERMINERS = ("a", "an", "the")
# Frames that open with the tail (`[[buy bread]] is something you can do at [[a bakery]]`) are left alone.
OPENINGS = ("", "you can use ", "you use ", "you would use ", "you might use ", "you may use ")

# Verbs that ConceptNet has under HasProperty too: `use to make bottle`.
DONE = frozenset(("use", "make"))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that an adjective can be put into. `determiner` is `a` for a or an, `the`, or empty."""

    triple: Triple
    before: str
    determiner: str
    noun: str
    after: str

    @property
    def original(self) -> str:
        return self._with("")

    def modified(self, modifier: str) -> str:
        return self._with(modifier)

    @property
    def built(self) -> str:
        """Where its words come from, for the item's attributes."""
        return "surface text" if self.triple.surface else "lemmas"

    def _with(self, modifier: str) -> str:
        determiner = article(modifier or self.noun) if self.determiner == "a" else self.determiner
        words = [self.before, determiner, modifier, self.noun, self.after]
        text = " ".join(word for word in words if word)
        return text[0].upper() + text[1:] + "."


def sentence_of_lemmas(triple: Triple, lexicon: Lexicon) -> Sentence:
    """A sentence for a lemmatized triple; Unsure if its words cannot be repaired for certain."""
    words = triple.tail.split()
    if len(words) > LONGEST:
        raise Unsure(f"has more than {LONGEST} words")
    if triple.head in words:
        raise Unsure("says the noun again")
    number = lexicon.number(triple.head)
    if not number or not lexicon.is_noun(triple.head, least=0.6):
        raise Unsure("the head is not a noun for certain")
    owns = triple.relation in ("CapableOf", "HasA")
    reader = Reader(words, lexicon, possessive=lexicon.possessive(triple.head), owns=owns)
    BUILDERS[triple.relation](reader)
    determiner = {"count": "a", "mass": "", "definite": "the"}[number]
    return Sentence(triple, "", determiner, triple.head, " ".join(reader.written))


def _capable(reader: Reader) -> None:
    reader.verb_phrase("VBZ")


def _has(reader: Reader) -> None:
    reader.write("has")
    reader.noun_phrase_to_the_end()
    if reader.written[1] == "the":
        raise Unsure("which one it has is not certain")


def _receives(reader: Reader) -> None:
    reader.write("is")
    reader.participle()


def _is(reader: Reader) -> None:
    """`cold`, `very cold`, `red and green`, `good for your health`, `easy to break`, `use to make bottle`."""
    reader.write("is")
    if reader.peek() in DONE:
        return reader.participle()
    if reader.peek() in ADVERBS_OF_DEGREE:
        reader.write(reader.take())
    if reader.peek() in COMPARING and reader.peek(1) not in PREPOSITIONS:
        raise Unsure(f"{reader.peek()!r} says nothing without what is compared")
    _adjective(reader)
    if reader.peek() in ("and", "or"):
        reader.write(reader.take())
        _adjective(reader)
    if reader.peek() == "to" and reader.lexicon.is_verb(reader.peek(1)):
        reader.write(reader.take())
        return _infinitive(reader)
    return reader.adjuncts()


def _adjective(reader: Reader) -> None:
    word = reader.take() if not reader.ended else ""
    if not reader.lexicon.is_adjective(word):
        raise Unsure(f"{word!r} is not an adjective for certain")
    reader.write(word)


def _infinitive(reader: Reader) -> None:
    """`to eat` after an adjective, whose object is the subject: `easy to break`."""
    verb = reader.take()
    if not reader.lexicon.takes_object(verb):
        raise Unsure(f"{verb!r} is not said with an object")
    reader.write(verb)
    reader.adjuncts()


def _used(reader: Reader) -> None:
    reader.write("is", "used", "for")
    if reader.possessive != "its":
        raise Unsure("a person is not used for something")
    first, lexicon = reader.peek(), reader.lexicon
    as_verb = lexicon.is_verb(first) and reader.peek(1) not in ("and", "or", "of")
    if as_verb:
        return reader.verb_phrase("VBG")
    if first in PREPOSITIONS:
        raise Unsure("begins with a preposition")
    if lexicon.count(first, "VB", "VBP") and len(reader.words) > 1:
        raise Unsure(f"{first!r} may be a verb or a noun")
    if lexicon.number(first) == "count" and not lexicon.is_mostly_plural(first):
        raise Unsure(f"whether {first!r} was one or many is not certain")
    reader.noun_phrase(general=True)
    if reader.peek() in PREPOSITIONS:
        reader.prepositional_phrase()
    return reader.end()


BUILDERS = {
    "CapableOf": _capable,
    "HasA": _has,
    "HasProperty": _is,
    "ReceivesAction": _receives,
    "UsedFor": _used,
}


def sentence_of_surface(triple: Triple, lexicon: Lexicon) -> Sentence:
    """The contributor's sentence without modal verbs; Unsure if it is not of a known frame."""
    text = " ".join(triple.surface.strip(" *.").split())
    ends = list(ENDS.finditer(text))
    if len(ends) != 2:
        raise Unsure("the surface text does not mark its two ends")
    opening = text[: ends[0].start()].casefold()
    if opening not in OPENINGS:
        raise Unsure(f"the surface text opens with {opening.strip()!r}")
    determiner, noun, plural = _head(ends[0].group(1), triple.head)
    link = text[ends[0].end() : ends[1].start()].split()
    rest = [*link, *ends[1].group(1).split(), *text[ends[1].end() :].split()]
    if triple.head in (word.casefold() for word in rest):
        raise Unsure("says the noun again")
    if opening:
        return Sentence(triple, "You use", determiner, noun, " ".join(rest))
    return Sentence(triple, "", determiner, noun, " ".join(_declared(rest, lexicon, plural=plural)))


def _head(text: str, head: str) -> tuple[str, str, bool]:
    """The determiner, the noun as it stands, and whether that is a plural."""
    *before, noun = text.casefold().split()
    if len(before) > 1 or (before and before[0] not in DETERMINERS):
        raise Unsure(f"{text!r} is more than a noun and its article")
    determiner = "" if not before else "the" if before[0] == "the" else "a"
    if noun == head:
        return determiner, noun, False
    if noun == inflected(head, "NNS") and determiner != "a":
        return determiner, noun, True
    raise Unsure(f"{text!r} is not the noun {head!r}")


def _declared(words: list[str], lexicon: Lexicon, *, plural: bool) -> list[str]:
    """`can win an election` as `wins an election`, `can be heavy` as `is heavy`."""
    if not words or words[0].casefold() not in MODALS:
        return words
    adverbs = [word for word in words[1:2] if word in FREQUENCY]
    verb, *rest = words[1 + len(adverbs) :] or [""]
    if verb == "be":
        return ["are" if plural else "is", *adverbs, *rest]
    if not lexicon.is_verb(verb) and verb != "have":
        raise Unsure(f"{verb!r} after the modal is not a verb for certain")
    return [*adverbs, verb if plural else inflected(verb, "VBZ"), *rest]
