"""Positive pointwise mutual information of a verb and its nouns, with and without grammatical relations.

Kauf, Ivanova et al. 2023, baselines (rules K1 to K4 in docs/metrics.md).
"""

import math
from collections.abc import Iterator

from scoring.baselines.associations.events import Event
from scoring.baselines.associations.reading import Associations

# Each part of a sentence's score, by what it is about.
Parts = tuple[tuple[str, float], ...]


def ppmi(joint: int, one: int, other: int, total: int) -> float:
    """max(0, log2(joint · total / (one · other))) in bits; 0 where the two were never met together."""
    if joint == 0:
        return 0.0
    return max(0.0, math.log2(joint * total / (one * other)))


def smoothed_ppmi(joint: int, one: int, other: int, total: int, types: int) -> float:
    """max(0, log2((joint + 2) · (total + types) / ((one + 1) · (other + 1)))) in bits.

    The arithmetic behind the published files: what was never met together has a value all the same, and it is the
    higher the rarer the words are.
    """
    return max(0.0, math.log2((joint + 2) * (total + types) / ((one + 1) * (other + 1))))


def syntactic(store: Associations, event: Event) -> Parts:
    """PPMI of each triple of relation, verb and noun (K1)."""
    total = store.totals["triples"]
    return tuple((name, ppmi(*counts, total)) for name, counts in _triples(store, event))


def syntactic_smoothed(store: Associations, event: Event) -> Parts:
    """Smoothed PPMI of each triple of relation, verb and noun (K2)."""
    total, types = store.totals["triples"], store.totals["triple_types"]
    return tuple((name, smoothed_ppmi(*counts, total, types)) for name, counts in _triples(store, event))


def unstructured(store: Associations, event: Event, *, least_lemma: int, least_pair: int) -> Parts:
    """PPMI of the verb and each noun as words near each other, in the order of the text (K3).

    A lemma that was met less than `least_lemma` times, or two met together less than `least_pair` times, count as
    never met.
    """
    total = store.totals["lemmas"]
    parts = []
    for one in sorted(event.arguments, key=lambda argument: argument.place):
        left, right = (one.lemma, event.verb) if one.place < event.place else (event.verb, one.lemma)
        joint, first, second = store.window(left, right), store.lemma(left), store.lemma(right)
        met = joint >= least_pair and min(first, second) >= least_lemma
        parts.append((f"{left} {right}", ppmi(joint if met else 0, first, second, total)))
    return tuple(parts)


def _triples(store: Associations, event: Event) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Each triple of the event as it is shown, with its count, the verb's and the noun's."""
    for one in event.arguments:
        counts = (
            store.triple(one.relation, event.verb, one.lemma),
            store.verb_role(one.relation, event.verb),
            store.noun_role(one.relation, one.lemma),
        )
        yield f"{event.verb} {one.relation} {one.lemma}", counts
