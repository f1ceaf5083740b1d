"""Thematic fit and SDM by hand (docs/metrics.md, T1 to T5 and D1 to D5), with vectors of two numbers."""

import math
from collections import Counter

import numpy as np
import pytest

from scoring.baselines.associations.events import Argument, Event
from scoring.baselines.associations.prototypes import (
    NOTHING_EXPECTED,
    Filler,
    active_context,
    of_noun,
    of_verb,
    sdm,
    thematic_fit,
    updated,
)
from scoring.baselines.associations.tally import Tally
from scoring.baselines.associations.vectors import Vectors
from tests.scoring.baselines.associations.stores import counted

TRIPLES = {("obj", "arrest", "thief"): 4, ("obj", "arrest", "robber"): 2, ("obj", "eat", "cake"): 6}
BESIDE = {("cop", "thief"): 1, ("cop", "cake"): 1, ("baker", "cake"): 2}
POINTS = {
    "thief": (1, 0),
    "robber": (0, 1),
    "cake": (-1, 0),
    "burglar": (0.6, 0.8),
    "cop": (1, 0),
    "arrest": (0, 1),
    "eat": (0, 1),
    "mayor": (0, 1),
}
VECTORS = Vectors({word: row for row, word in enumerate(POINTS)}, np.array(list(POINTS.values()), dtype=float))
# cos of (.6, .8) with (1, 1).
DIAGONAL = 1.4 / math.sqrt(2)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    pairs: Counter[tuple[str, ...]] = Counter({("nsubj", one, "obj", other): n for (one, other), n in BESIDE.items()})
    pairs.update({("obj", other, "nsubj", one): n for (one, other), n in BESIDE.items()})
    return counted(tmp_path_factory.mktemp("prototypes"), Tally(triples=Counter(TRIPLES), pairs=pairs))


def conditions_and_context(store, asked):
    return sdm(store, asked, vectors=VECTORS, fillers=50, prototype=20)


def event(subject, verb, other="burglar"):
    return Event(verb, 2, (Argument("nsubj", subject, 1), Argument("obj", other, 4)))


def fit(store, *words):
    return thematic_fit(store, event(*words), vectors=VECTORS, fillers=200, prototype=20)


def test_t1_fillers_by_lmi_the_strongest_first(store):
    # N = 12; arrest obj 6, thief obj 4, robber obj 2: 4 · log2(4·12/24) = 4, 2 · log2(2·12/12) = 2.
    assert of_verb(store, "arrest", "obj", most=200) == [Filler("thief", 4.0), Filler("robber", 2.0)]
    assert of_verb(store, "arrest", "obj", most=1) == [Filler("thief", 4.0)]
    # 4 pairs; cop 2, thief 1: 1 · log2(1·4/2) = 1. cake: log2(4/6) is negative, so that it is not expected.
    assert of_noun(store, Argument("nsubj", "cop", 1), "obj", most=200) == [Filler("thief", 1.0)]


def test_t2_the_intersection_by_the_product_of_weights():
    lists = [[Filler("a", 4), Filler("b", 3), Filler("c", 2)], [Filler("c", 5), Filler("b", 2), Filler("d", 9)]]
    assert updated(lists) == [Filler("c", 10), Filler("b", 6)]


def test_t3_the_cosine_with_the_centroid(store):
    # Subject and verb share the thief alone: cos((.6, .8), (1, 0)).
    assert fit(store, "cop", "arrest") == pytest.approx(0.6)


def test_t4_an_empty_intersection_leaves_the_verbs_fillers(store):
    # The baker lets expect cake, the verb thief and robber: cos((.6, .8), (.5, .5)).
    assert fit(store, "baker", "arrest") == pytest.approx(DIAGONAL)
    assert updated([[Filler("a", 1)], [Filler("b", 2)]]) == [Filler("a", 1)]


def test_t5_if_one_list_is_empty_the_other_is_taken(store):
    assert fit(store, "mayor", "arrest") == pytest.approx(DIAGONAL)
    assert fit(store, "baker", "hug") == pytest.approx(-0.6)
    assert updated([[], []]) == []


def test_t5_if_both_are_empty_there_is_a_reason_and_no_0(store):
    assert fit(store, "mayor", "hug") == NOTHING_EXPECTED
    assert fit(store, "cop", "arrest", "zebra") == "there is no vector for 'zebra'"


def test_only_the_first_m_make_the_prototype(store):
    assert thematic_fit(store, event("mayor", "arrest"), vectors=VECTORS, fillers=200, prototype=1) == pytest.approx(
        0.6
    )


def test_d1_d4_conditions_and_context_by_hand(store):
    found = conditions_and_context(store, event("cop", "arrest"))
    assert not isinstance(found, str)
    conditions, active = found
    # cop + arrest = (1, 1).
    assert conditions == pytest.approx(DIAGONAL)
    # The cop brings the thief, (1, 0); arrest brings thief and robber, (.5, .5): their mean is (.75, .25).
    assert active == pytest.approx((0.6 * 0.75 + 0.8 * 0.25) / math.hypot(0.75, 0.25))


def test_d3_each_list_is_ranked_anew_by_the_other():
    east, north, northeast = (np.array(point, dtype=float) for point in ((1, 0), (0, 1), (1, 1)))
    # Of the second list the northeast is nearer to the east; only the first of each list counts here.
    assert active_context([[east], [north, northeast]], 1) == pytest.approx((east + northeast) / 2)
    # And the first list is ranked by the second: its north is nearer to the north than its east.
    assert active_context([[east, north], [north]], 1) == pytest.approx((north + north) / 2)


def test_d5_without_vectors_or_fillers_there_is_a_reason(store):
    assert conditions_and_context(store, event("baker", "arrest")) == "there is no vector for 'baker'"
    # The mayor brings nothing, eat brings cake: (1, 0) with mayor + eat = (0, 2), and with (-1, 0).
    assert conditions_and_context(store, event("mayor", "eat", "thief")) == pytest.approx((0, -1))
    nothing = Event("eat", 2, (Argument("nsubj", "mayor", 1), Argument("obl:to", "thief", 4)))
    assert conditions_and_context(store, nothing) == NOTHING_EXPECTED
