"""The Structured Distributional Model: linguistic conditions and active context (Chersoni et al. 2019).

Natural Language Engineering 25 (4), 483 to 502, section 3; scored as in Kauf, Ivanova et al. 2023: the cosine of the
last argument with each of the two, added up. Rules D1 to D5 in docs/metrics.md.
"""

from collections.abc import Sequence

import numpy as np

from scoring.baselines.associations.events import Event
from scoring.baselines.associations.fillers import Filler, of_noun, of_verb
from scoring.baselines.associations.reading import Associations
from scoring.baselines.associations.thematic_fit import NOTHING_EXPECTED
from scoring.baselines.associations.vectors import Floats, Vectors, cosine

# The expected fillers of one word, as vectors, the strongest first.
Expected = list[Floats]


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
