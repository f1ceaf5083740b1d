"""Would "not" sound natural where the adverb stands? Rules with names; the first that applies is the reason.

The method replaces the adverb by "not" and rewrites the few sentences where that is no English. These rules find
them; a researcher rewrites them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from stimuli.constructions.intensifiers.options import ADVERBS, BINDS_TIGHTLY, ENDS_SCOPE, NEGATIVE
from stimuli.constructions.intensifiers.rule import BE, copula, first_conjunct

if TYPE_CHECKING:
    from spacy.tokens import Token

NATURAL = "natural"
FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))


def verdict(adverb: "Token", adjective: "Token") -> str:
    """`natural`, or the name of the rule."""
    return next((name for name, applies in RULES.items() if applies(adverb, adjective)), NATURAL)


def _question(adverb: "Token", adjective: "Token") -> bool:
    """Is it really good? With "not" it asks for a yes."""
    after = adjective.doc[adjective.i + 1 : adjective.i + 4].text
    return "?" in after.split(" ")[0] or after.startswith("?")


def _already_negated(adverb: "Token", adjective: "Token") -> bool:
    """It is not very good; not my favorite, but really good: a negative word before the slot reaches it."""
    finite_seen = False
    before = list(adverb.doc[adverb.sent.start : adverb.i])
    while before and before[-1].lower_ in ENDS_SCOPE:
        before.pop()
    for token in reversed(before):
        if token.lower_ in NEGATIVE:
            return True
        if token.lower_ in ENDS_SCOPE or (token.lower_ == "and" and finite_seen):
            return False
        finite_seen = finite_seen or token.tag_ in FINITE
    return False


def _nonfinite_be(adverb: "Token", adjective: "Token") -> bool:
    """It would be really good, to be very happy, has been often ill: "not" stands before be, been and being."""
    verb = copula(adjective)
    return verb is not None and verb.lower_ in ("be", "been", "being")


def _other_verb(adverb: "Token", adjective: "Token") -> bool:
    """She looked really tired: with another verb than be, "not" wants do before the verb."""
    verb = copula(adjective)
    if verb is not None:
        return verb.lower_ not in BE
    first = first_conjunct(adjective)
    return first.dep_ in ("ccomp", "xcomp", "advcl", "dobj", "obj", "pobj", "obl", "prep", "npadvmod", "dep") or (
        first.head.pos_ == "VERB" and first.dep_ != "ROOT"
    )


def _after_its_noun(adverb: "Token", adjective: "Token") -> bool:
    """Something very strange: the adjective stands in a noun phrase."""
    return copula(adjective) is None and first_conjunct(adjective).dep_ in ("amod", "acl", "relcl", "appos")


def _bound_before(adverb: "Token", adjective: "Token") -> bool:
    """It is so very good, almost always right, already very dirty; very, very tired."""
    before = [token for token in adverb.doc[adverb.sent.start : adverb.i] if not token.is_punct]
    return bool(before) and (before[-1].lower_ in BINDS_TIGHTLY or before[-1].lower_ in ADVERBS)


def _said_before(adverb: "Token", adjective: "Token") -> bool:
    """Space is big, really big."""
    return any(token.lower_ == adjective.lower_ for token in adverb.doc[adverb.sent.start : adverb.i])


def _no_verb(adverb: "Token", adjective: "Token") -> bool:
    """Like an old friend, maybe better: nothing there to negate. (Really good! is: Not good!)"""
    before = adverb.doc[adverb.sent.start : adverb.i]
    return len(before) > 0 and not any(token.tag_ in FINITE for token in before)


def _comparison(adverb: "Token", adjective: "Token") -> bool:
    """Better than usually necessary."""
    return _before(adverb) in ("than", "as")


def _determiner(adverb: "Token", adjective: "Token") -> bool:
    """The very rich, all that really good: a noun phrase without its noun."""
    previous = adverb.doc[adverb.i - 1] if adverb.i > adverb.sent.start else None
    return previous is not None and previous.tag_ in ("DT", "PRP$") and previous.dep_ not in ("nsubj", "nsubjpass")


def _before(adverb: "Token") -> str:
    return adverb.doc[adverb.i - 1].lower_ if adverb.i > adverb.sent.start else ""


RULES: dict[str, Callable[["Token", "Token"], bool]] = {
    "question": _question,
    "already negated": _already_negated,
    "be, been or being before the slot": _nonfinite_be,
    "another verb than be": _other_verb,
    "adjective after its noun": _after_its_noun,
    "degree word before the slot": _bound_before,
    "comparison": _comparison,
    "adjective said before": _said_before,
    "no verb before the slot": _no_verb,
    "determiner before the slot": _determiner,
}
