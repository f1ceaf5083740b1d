"""Phrases with verbs out of lemmatized words: `eat fish in water` is `eats fish in water`, `surround by water`
`surrounded by water`. What cannot be repaired for certain is refused.
"""

from stimuli.constructions.adjectives.phrases.closed_classes import (
    BEFORE_INFINITIVE,
    LIGHT,
    LINKING,
    MAKING,
    PARTICLES,
    PREPOSITIONS,
)
from stimuli.constructions.adjectives.phrases.lexicon import inflected
from stimuli.constructions.adjectives.phrases.noun_phrases import NounReader, Unsure


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

    def noun_phrase_to_the_end(self, *, general: bool = False) -> None:
        self.noun_phrase(general=general)
        self.adjuncts()
