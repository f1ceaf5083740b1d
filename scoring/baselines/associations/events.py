"""Who does what to whom: the verbs of a parsed text with their arguments.

The rules are numbered in docs/metrics.md (A1 to A5), and the tests quote them. Trees of spaCy's English models (CLEAR
labels) and of Universal Dependencies are read alike.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

SUBJECT, OBJECT, OBLIQUE = "nsubj", "obj", "obl:"
RECIPIENT = "obl:to"
LEMMA = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Argument:
    """A noun in its role: `relation` is nsubj, obj or obl:PREPOSITION; `place` is its token's number in the text."""

    relation: str
    lemma: str
    place: int

    @property
    def rank(self) -> tuple[int, int]:
        """Subject, object, then the others as they stand in the text, whatever the voice."""
        return {SUBJECT: 0, OBJECT: 1}.get(self.relation, 2), self.place


@dataclass(frozen=True, slots=True)
class Event:
    """A verb with its arguments, the subject first."""

    verb: str
    place: int
    arguments: tuple[Argument, ...]

    def of(self, relation: str) -> Argument | None:
        return next((argument for argument in self.arguments if argument.relation == relation), None)


def events(sentence: "Span") -> Iterator[Event]:
    """Every full verb of a sentence that has a common noun for an argument; coordinated nouns count one by one."""
    for verb in sentence:
        lemma = verb_lemma(verb)
        if lemma is None:
            continue
        nouns = [
            Argument(relation, noun, token.i)
            for relation, head in arguments(verb)
            for token in (head, *head.conjuncts)
            if (noun := noun_lemma(token)) is not None
        ]
        if nouns:
            yield Event(lemma, verb.i, tuple(sorted(nouns, key=lambda argument: argument.rank)))


def proposition(doc: "Doc") -> Event | str:
    """The one event of a sentence that is to be scored, or the reason why there is none."""
    sentences = list(doc.sents)
    if len(sentences) != 1:
        return f"the parser finds {len(sentences)} sentences; only one can be scored"
    verb = sentences[0].root
    lemma = verb_lemma(verb)
    if lemma is None:
        return f"the sentence’s head is {verb.text!r}, not a verb"
    nouns: list[Argument] = []
    for relation, token in arguments(verb):
        # What is written small is no name: the tagger is wrong about some rare nouns (blacksmith, parable).
        noun = noun_lemma(token, also_tagged_a_name=token.is_lower)
        if noun is not None:
            nouns.append(Argument(relation, noun, token.i))
        elif relation in (SUBJECT, OBJECT):
            return f"{token.text!r}, the {_called(relation)}, is not a common noun"
    event = Event(lemma, verb.i, tuple(sorted(nouns, key=lambda argument: argument.rank)))
    if event.of(SUBJECT) is None:
        return "the parser finds no subject"
    if len(event.arguments) < 2:
        return "the parser finds no object or other argument"
    return event


def arguments(verb: "Token") -> Iterator[tuple[str, "Token"]]:
    """The relation and head word of each argument, of whatever part of speech, in the order of the text."""
    passive = is_passive(verb)
    for child in verb.children:
        yield from _arguments_at(child, passive=passive)


def is_passive(verb: "Token") -> bool:
    """A participle with a form of be or get beside it."""
    return verb.tag_ == "VBN" and any(
        child.dep_.startswith("aux") and child.lemma_.lower() in ("be", "get") for child in verb.children
    )


def noun_lemma(token: "Token", *, also_tagged_a_name: bool = False) -> str | None:
    """The lemma of a common noun in plain letters; None for names, pronouns and everything else."""
    lemma: str = token.lemma_.lower()
    is_noun = token.pos_ == "NOUN" or (also_tagged_a_name and token.pos_ == "PROPN")
    return lemma if is_noun and LEMMA.fullmatch(lemma) else None


def verb_lemma(token: "Token") -> str | None:
    """The lemma of a full verb in plain letters; None for auxiliaries and everything else."""
    lemma: str = token.lemma_.lower()
    return lemma if token.pos_ == "VERB" and LEMMA.fullmatch(lemma) else None


def _arguments_at(child: "Token", *, passive: bool) -> "Iterator[tuple[str, Token]]":
    match child.dep_:
        case "nsubj":
            # Universal Dependencies as they are read here (corpus.texts) do not mark the passive.
            yield OBJECT if passive else SUBJECT, child
        case "nsubjpass" | "dobj" | "obj":
            yield OBJECT, child
        case "iobj":
            yield RECIPIENT, child
        case "dative" if child.pos_ != "ADP":
            yield RECIPIENT, child
        case "agent":
            yield from ((SUBJECT, noun) for noun in _under(child))
        case "prep" | "dative":
            yield from ((OBLIQUE + child.lower_, noun) for noun in _under(child))
        case "obl":
            preposition = next((one.lower_ for one in child.children if one.dep_ == "case"), "")
            if preposition:
                yield SUBJECT if passive and preposition == "by" else OBLIQUE + preposition, child


def _under(preposition: "Token") -> "Iterator[Token]":
    return (child for child in preposition.children if child.dep_ == "pobj")


def _called(relation: str) -> str:
    return {SUBJECT: "subject", OBJECT: "object"}[relation]
