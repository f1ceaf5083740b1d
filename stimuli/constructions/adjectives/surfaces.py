"""Sentences out of ConceptNet's surface texts: `[[a candidate]] can [[win an election]]`."""

import re

from stimuli.constructions.adjectives.phrases.forms import inflected
from stimuli.constructions.adjectives.phrases.lexicon import Lexicon
from stimuli.constructions.adjectives.phrases.noun_phrases import Unsure
from stimuli.constructions.adjectives.sentences import Sentence
from stimuli.constructions.adjectives.triples import Triple

ENDS = re.compile(r"\[\[(.+?)\]\]")
# ADEPT turns modal verbs into the declarative: they would blur what is plausible.
MODALS = frozenset(("can", "may", "might", "could", "will", "would", "should", "must"))
FREQUENCY = frozenset(("sometimes", "usually", "often", "always"))
DETERMINERS = ("a", "an", "the")
# Frames that open with the tail (`[[buy bread]] is something you can do at [[a bakery]]`) are left alone.
OPENINGS = ("", "you can use ", "you use ", "you would use ", "you might use ", "you may use ")


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
