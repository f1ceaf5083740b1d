"""Thematic fit: how near a noun is to the prototype of what the rest of the sentence lets expect in its role.

Kauf, Ivanova et al. 2023, baselines, with the update by product of Lenci 2011. Rules T1 to T5 in docs/metrics.md.
"""

import math
from collections.abc import Sequence

import numpy as np

from scoring.baselines.associations.events import Event
from scoring.baselines.associations.fillers import Filler, of_noun, of_verb
from scoring.baselines.associations.reading import Associations
from scoring.baselines.associations.vectors import Floats, Vectors, cosine

NOTHING_EXPECTED = "the store knows nothing that the verb or the other nouns let expect there"


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
