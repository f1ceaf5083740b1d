"""Which modifiers of a noun may stand in a sentence, and the four that are drawn (ADEPT, section 4.1)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from stimuli.constructions.adjectives.lexicon import Lexicon, is_adjective, is_english, is_offensive, words
from stimuli.datasets.adjective_list import AdjectiveList, normalized

EACH = 4
MOST_NON_SUBSECTIVE = 2
# With `a`, or in a sentence about no particular thing, these are not English or turn it into another sentence.
DETERMINING = words(
    "other another same such own last next only first second third fourth fifth sixth seventh eighth ninth tenth many "
    "few more most several much less least fewer various numerous countless multiple certain enough else very "
    "best worst latest following said latter mere sheer utter sole due half double both each every whole entire "
    "favorite favourite main particular specific respective upcoming subsequent dear right wrong"
)
# With what is not counted, these say a quantity (`little water`) or ask for an article (`a long history`).
QUANTITIES = words("little single big long short extra additional different separate individual")
# With persons, these make annotators judge groups of people; ADEPT warns of it (ethical considerations).
GROUPS = words(
    "black white brown yellow colored gay straight lesbian queer native indigenous foreign immigrant homosexual illegal"
)
# Shares of capitals beyond sentence beginnings. Some corpora are in lower case throughout, and titles are not, so
# that between the two it is not certain what is right.
CAPITALIZED = 0.55
SOMETIMES_CAPITALIZED = 0.2


@dataclass(frozen=True, slots=True)
class CountedModifier:
    """A modifier as it is shown, with how often it was counted with the noun."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Capitals:
    """How often a modifier was capitalized, of the times it did not begin a sentence."""

    shares: Mapping[str, float]

    def are_uncertain(self, modifier: str) -> bool:
        return SOMETIMES_CAPITALIZED <= self.shares.get(modifier, 0.0) < CAPITALIZED

    def spelling_of(self, modifier: str) -> str:
        is_name = self.shares.get(modifier, 0.0) >= CAPITALIZED
        return "-".join(part.capitalize() for part in modifier.split("-")) if is_name else modifier


def why_not(modifier: str, noun: str, lexicon: Lexicon, capitals: Capitals, adjectives: AdjectiveList) -> str:
    """Why this modifier may not stand before this noun; empty if it may."""
    return _why_not_at_all(modifier, capitals, adjectives) or _why_not_with(modifier, noun, lexicon, capitals)


def _why_not_at_all(modifier: str, capitals: Capitals, adjectives: AdjectiveList) -> str:
    if modifier in DETERMINING:
        return "determines or ranks instead of describing"
    if not is_english(modifier):
        return "the modifier is not a common English word"
    if not is_adjective(modifier) and normalized(modifier) not in adjectives.subclasses:
        return "the modifier is a noun or a verb"
    if is_offensive(modifier):
        return "the modifier may offend"
    if capitals.are_uncertain(modifier):
        return "it is not certain whether the modifier is a name"
    return ""


def _why_not_with(modifier: str, noun: str, lexicon: Lexicon, capitals: Capitals) -> str:
    if lexicon.number(noun) == "mass" and modifier in QUANTITIES:
        return "the modifier does not go with what is not counted"
    names_group = modifier in GROUPS or capitals.spelling_of(modifier) != modifier
    return "the modifier names a group of people" if names_group and lexicon.is_person(noun) else ""


def draw(candidates: list[CountedModifier], adjectives: AdjectiveList, rng: random.Random) -> list[CountedModifier]:
    """Up to two non-subsective ones at random, the rest at random from the others; four, if there are so many."""
    marked = [one for one in candidates if normalized(one.text) in adjectives.subclasses]
    others = [one for one in candidates if normalized(one.text) not in adjectives.subclasses]
    chosen = rng.sample(marked, min(MOST_NON_SUBSECTIVE, len(marked)))
    chosen += rng.sample(others, min(EACH - len(chosen), len(others)))
    return chosen
