"""A sentence is kept only if the parser reads it as it was meant."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stimuli.constructions.adjectives.sentences import Sentence

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from corpus.parsing import Parser

FINITE = ("VBZ", "VBP")
SUBJECTS = ("nsubj", "nsubjpass")
NOT_A_SENTENCE = ("dep", "ccomp", "csubj", "intj", "meta", "parataxis")
UNKNOWN_TAGS = ("FW", "XX", "UH", "ADD", "NFP")


def parsed(texts: Sequence[str], parser: "Parser") -> "list[Doc]":
    from corpus.texts import Text

    docs = parser.tagged_many(Text(place="", text=text) for text in texts)
    return list(parser.parsed_many(docs))


def fault_of(sentence: Sentence, doc: "Doc") -> str:
    """Why the parse of the original is not that of one sentence about the noun; empty if it is."""
    root = next(token for token in doc if token.head == token)
    if sum(token.head == token for token in doc) != 1:
        return "is not one sentence"
    if not _finite(root):
        return "has no finite verb at its root"
    if any(token.dep_ in NOT_A_SENTENCE or token.tag_ in UNKNOWN_TAGS for token in doc):
        return "has a part that does not belong"
    if sentence.before:
        return ""
    subjects = [token for token in root.children if token.dep_ in SUBJECTS]
    if [token.text.casefold() for token in subjects] != [sentence.noun]:
        return "does not have the noun as its subject"
    return "" if subjects[0].tag_ in ("NN", "NNS") else "does not have a noun as its subject"


def modifier_fits(sentence: Sentence, modifier: str, doc: "Doc") -> bool:
    """Whether the parser takes the modifier, or the end of a hyphenated one, as an adjective of the noun."""
    last = modifier.casefold().split("-")[-1]
    return any(
        token.text.casefold() == last and token.dep_ == "amod" and token.head.text.casefold() == sentence.noun
        for token in doc
    )


def _finite(root: "Token") -> bool:
    if root.tag_ in FINITE:
        return True
    return root.tag_ in ("VBN", "VBG") and any(
        child.dep_ in ("aux", "auxpass") and child.tag_ in FINITE for child in root.children
    )
