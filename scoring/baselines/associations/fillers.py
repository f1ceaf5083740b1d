"""The nouns that are expected in a role, given a verb or another noun, by local mutual information.

LMI is the count of two together times their PMI (Evert 2005); the published baselines use it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.baselines.associations.events import Argument
from scoring.baselines.associations.reading import Associations


@dataclass(frozen=True, slots=True)
class Filler:
    """A noun and how strongly it is associated, in bits times the count."""

    noun: str
    weight: float


def lmi(joint: int, one: int, other: int, total: int) -> float:
    """joint · log2(joint · total / (one · other)); joint is at least 1."""
    return joint * math.log2(joint * total / (one * other))


def of_verb(store: Associations, verb: str, relation: str, *, most: int) -> list[Filler]:
    """The `most` nouns most associated with a verb in a relation, the strongest first."""
    one, total = store.verb_role(relation, verb), store.totals["triples"]
    return _strongest(
        ((noun, lmi(joint, one, other, total)) for noun, joint, other in store.nouns_of_verb(verb, relation)), most
    )


def of_noun(store: Associations, argument: Argument, relation: str, *, most: int) -> list[Filler]:
    """The `most` nouns most associated, in `relation`, with another argument of the same verbs, whatever those are."""
    one = store.pair_role(argument.relation, argument.lemma, relation)
    total = store.pair_total(argument.relation, relation)
    beside = store.nouns_beside(argument.relation, argument.lemma, relation)
    return _strongest(((noun, lmi(joint, one, other, total)) for noun, joint, other in beside), most)


def _strongest(weighted: Iterable[tuple[str, float]], most: int) -> list[Filler]:
    """Those that are met more often than chance would have it; equal ones by the alphabet.

    Two negative weights would make a high product, so that what repels would rank first.
    """
    positive = [Filler(noun, weight) for noun, weight in weighted if weight > 0]
    return sorted(positive, key=lambda filler: (-filler.weight, filler.noun))[:most]
