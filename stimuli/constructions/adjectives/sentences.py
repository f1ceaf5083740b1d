"""Sentences in the declarative out of a noun and what ConceptNet says of it (ADEPT, section 4.1).

"We modify the surface text by replacing modal verbs (like can or may) with the declarative": where ConceptNet gives
the lemmas only, the declarative is built at once.
"""

from dataclasses import dataclass

from stimuli.constructions.adjectives.phrases.closed_classes import ADVERBS_OF_DEGREE, COMPARING, LONGEST, PREPOSITIONS
from stimuli.constructions.adjectives.phrases.lexicon import Lexicon
from stimuli.constructions.adjectives.phrases.noun_phrases import Unsure
from stimuli.constructions.adjectives.phrases.verb_phrases import Reader
from stimuli.constructions.adjectives.triples import Triple
from stimuli.constructions.articles import article

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
