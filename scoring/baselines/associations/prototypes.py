"""What the rest of a sentence lets expect in a role: the nouns, their prototype, thematic fit, and the SDM.

Thematic fit is how near a noun is to the prototype (Kauf, Ivanova et al. 2023, baselines, with the update by product of
Lenci 2011). Rules T1 to T5 in docs/metrics.md.

Which nouns are expected, given a verb or another noun, is told by local mutual information: the count of two together
times their PMI (Evert 2005); the published baselines use it.

The Structured Distributional Model has linguistic conditions and active context (Chersoni et al. 2019, Natural Language
Engineering 25 (4), 483 to 502, section 3); scored as in Kauf, Ivanova et al. 2023: the cosine of the last argument with
each of the two, added up. Rules D1 to D5 in docs/metrics.md.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.baselines.associations.events import Argument, Event
from scoring.baselines.associations.reading import Associations
from scoring.baselines.associations.vectors import Floats, Vectors, cosine

# The expected fillers of one word, as vectors, the strongest first.
Expected = list[Floats]

NOTHING_EXPECTED = "the counted text predicts nothing from the verb and the other nouns"


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
    others = store.nouns_beside(argument.relation, argument.lemma, relation)
    return _strongest(((noun, lmi(joint, one, other, total)) for noun, joint, other in others), most)


def _strongest(weighted: Iterable[tuple[str, float]], most: int) -> list[Filler]:
    """Those met more often than by chance, equal ones by the alphabet: a product of two negatives would rank first."""
    positive = [Filler(noun, weight) for noun, weight in weighted if weight > 0]
    return sorted(positive, key=lambda filler: (-filler.weight, filler.noun))[:most]


def thematic_fit(store: Associations, event: Event, *, vectors: Vectors, fillers: int, prototype: int) -> float | str:
    """The cosine of the last argument's vector and the prototype, or the reason why there is none."""
    *context, target = event.arguments
    if target.lemma not in vectors:
        return f"there is no vector for {target.lemma!r}"
    lists = [of_verb(store, event.verb, target.relation, most=fillers)]
    lists += [of_noun(store, argument, target.relation, most=fillers) for argument in context]
    expected = _with_vectors(updated(lists), vectors) or _with_vectors(lists[0], vectors)
    if not expected:
        return NOTHING_EXPECTED
    return cosine(vectors[target.lemma], centroid(expected[:prototype], vectors))


def updated(lists: Sequence[Sequence[Filler]]) -> list[Filler]:
    """The fillers that all lists share, by the product of their weights, the strongest first (T2).

    The verb's list comes first. If the lists share nothing, the verb's fillers stand (T4); if some are empty, the
    others decide (T5); if all are empty, nothing is expected.
    """
    filled = [fillers for fillers in lists if fillers]
    if not filled:
        return []
    weights = [{filler.noun: filler.weight for filler in fillers} for fillers in filled]
    shared = set.intersection(*(set(one) for one in weights))
    if not shared:
        return list(filled[0])
    product = [Filler(noun, math.prod(one[noun] for one in weights)) for noun in shared]
    return sorted(product, key=lambda filler: (-filler.weight, filler.noun))


def centroid(fillers: Sequence[Filler], vectors: Vectors) -> Floats:
    """The mean of their vectors."""
    mean: Floats = np.mean([vectors[filler.noun] for filler in fillers], axis=0)
    return mean


def _with_vectors(fillers: Sequence[Filler], vectors: Vectors) -> list[Filler]:
    return [filler for filler in fillers if filler.noun in vectors]


def sdm(
    store: Associations, event: Event, *, vectors: Vectors, fillers: int, prototype: int
) -> tuple[float, float] | str:
    """The last argument's cosine with the linguistic conditions and with the active context, or the reason for none."""
    *context, target = event.arguments
    lacking = [word for word in (*(one.lemma for one in context), event.verb, target.lemma) if word not in vectors]
    if lacking:
        return f"there is no vector for {', '.join(map(repr, lacking))}"
    conditions = np.sum([vectors[event.verb], *(vectors[one.lemma] for one in context)], axis=0)
    expected = _expected(store, event, fillers)
    active = active_context([_vectors(one, vectors) for one in expected], prototype)
    if active is None:
        return NOTHING_EXPECTED
    own = vectors[target.lemma]
    return cosine(own, conditions), cosine(own, active)


def active_context(lists: Sequence[Expected], prototype: int) -> Floats | None:
    """The vector expected in a role after words have brought their fillers one after the other; None without any.

    Each new list is ranked anew by how near it is to what is expected so far, and then what is expected so far by
    how near it is to the new list (D3).
    """
    content: list[Expected] = []
    for fillers in lists:
        if not fillers:
            continue
        fresh = ranked(fillers, represented(content, prototype)) if content else fillers
        content = [ranked(former, represented([fresh], prototype)) for former in content] + [fresh]
    return represented(content, prototype) if content else None


def represented(content: Sequence[Expected], prototype: int) -> Floats:
    """The mean over lists of the mean of the first `prototype` vectors of each (D4)."""
    mean: Floats = np.mean([np.mean(fillers[:prototype], axis=0) for fillers in content], axis=0)
    return mean


def ranked(fillers: Expected, head: Floats) -> Expected:
    """By their cosine with `head`, the nearest first; equal ones stay in order."""
    return sorted(fillers, key=lambda vector: -cosine(vector, head))


def _expected(store: Associations, event: Event, fillers: int) -> list[list[Filler]]:
    """What each word lets expect in the target's role: the subject's first, then the verb's, then the others' (D2)."""
    *context, target = event.arguments
    nouns = [of_noun(store, argument, target.relation, most=fillers) for argument in context]
    return [*nouns[:1], of_verb(store, event.verb, target.relation, most=fillers), *nouns[1:]]


def _vectors(fillers: Sequence[Filler], vectors: Vectors) -> Expected:
    return [vectors[filler.noun] for filler in fillers if filler.noun in vectors]
