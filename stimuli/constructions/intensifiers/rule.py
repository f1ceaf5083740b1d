"""What a hit is: a sentence that ends in one of the adverbs and an adjective that it modifies.

Three looks of growing cost: a regular expression on the text, the tags, the tree. Each lets everything through
that the next could accept, so that the hits are those of parsing every text.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import TYPE_CHECKING

from stimuli.constructions.intensifiers.options import (
    ADJECTIVES_IN_LY,
    ADVERBS,
    ASKS_FOR_ASSENT,
    BINDS_THE_ADVERB,
    QUANTIFIERS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

CLOSERS = "\"'”’)\\]"
# The end of a sentence right after the adjective, or the end of the text.
END = rf"[ ]?[{CLOSERS}]*(?:[ ]?[.!?…]+[{CLOSERS}]*(?=\s|$)|\s*$)"
ENDS = re.compile(END)
MODIFIES = ("advmod", "neg")
BE = frozenset(("be", "am", "is", "are", "was", "were", "been", "being", "'s", "’s", "'re", "’re", "'m", "’m"))
COPULAS = ("appear", "be", "become", "feel", "get", "grow", "look", "remain", "seem", "smell", "sound", "stay", "taste")


@cache
def promising(adverbs: tuple[str, ...]) -> re.Pattern[str]:
    """One of the adverbs and a word at an end."""
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(adverbs)})\s+[^\W\d_]+{END}", re.IGNORECASE)


def candidates(doc: "Doc", adverbs: Collection[str] = ADVERBS) -> list[int]:
    """Places of adverbs whose tag, following word and punctuation are those of a hit."""
    return [token.i for token in doc[:-1] if token.lower_ in adverbs and _fits(doc, token, token.nbor())]


def _fits(doc: "Doc", adverb: "Token", adjective: "Token") -> bool:
    return (
        adverb.tag_.startswith("RB")
        and adjective.tag_.startswith("JJ")
        and adjective.is_alpha
        and bool(adverb.whitespace_)
        and (adverb.i == 0 or adverb.nbor(-1).tag_ != "TO")
        and ENDS.match(doc.text, adjective.idx + len(adjective)) is not None
    )


def hits(doc: "Doc", places: list[int]) -> Iterator[tuple["Token", "Token", str]]:
    """Adverb, adjective and how the tree joins them, for those candidates that end their sentence."""
    for place in places:
        adverb, adjective = doc[place], doc[place + 1]
        joined = attachment(adverb, adjective)
        if joined and _ends_its_sentence(adjective) and _is_adjective(adjective):
            yield adverb, adjective, joined


def _is_adjective(word: "Token") -> bool:
    """Not a count ("very few"), nor an adverb that the tagger missed ("asked very low", "spoke very softly")."""
    text = word.lower_
    return (
        text not in QUANTIFIERS
        and not _is_something_else(word)
        and first_conjunct(word).dep_ not in ("advmod", "npadvmod")
        and (not text.endswith("ly") or text in ADJECTIVES_IN_LY)
    )


def _is_something_else(word: "Token") -> bool:
    """What is there is a noun ("there's definitely potential"); a tag asks for assent ("we find out often right?")."""
    verb = copula(word)
    if verb is None:
        return word.lower_ in ASKS_FOR_ASSENT and word.i + 1 < len(word.doc) and word.nbor().text.startswith("?")
    around = (verb, word, first_conjunct(word))
    return any(child.dep_ == "expl" and child.lower_ == "there" for token in around for child in token.children)


def attachment(adverb: "Token", adjective: "Token") -> str:
    """`adjective` or `copula`, whichever the adverb hangs on; empty if it modifies something else.

    spaCy's scheme hangs "probably" in "guns are probably scary" on the copula, Universal Dependencies on the
    adjective.
    """
    if adverb.dep_ not in MODIFIES or _is_bound(adverb):
        return ""
    if adverb.head == adjective:
        return "adjective"
    if adverb.head == copula(adjective) and _is_copular(adverb.head):
        return "copula"
    return ""


def _is_bound(adverb: "Token") -> bool:
    before = [adverb.nbor(-1)] if adverb.i > adverb.sent.start else []
    return any(token.lower_ in BINDS_THE_ADVERB for token in [*adverb.children, *before])


def copula(adjective: "Token") -> "Token | None":
    """The verb whose complement the adjective is, also as a later one of several (big and probably scary)."""
    first = first_conjunct(adjective)
    if first.dep_ in ("acomp", "oprd") or (first.dep_ == "attr" and _is_copular(first.head)):
        return first.head
    return next((child for child in first.children if child.dep_ == "cop"), None)


def _is_copular(verb: "Token") -> bool:
    return verb.lower_ in BE or verb.lemma_ in COPULAS


def first_conjunct(token: "Token") -> "Token":
    while token.dep_ == "conj" and token.head.pos_ in ("ADJ", "NOUN", "ADV"):
        token = token.head
    return token


def _ends_its_sentence(adjective: "Token") -> bool:
    after = adjective.doc[adjective.i + 1 : adjective.sent.end]
    return not any(character.isalnum() for character in after.text)
