"""PPMI by hand (docs/metrics.md, K1 to K3): every count below is in the text of the test."""

import math
from collections import Counter

import pytest

from scoring.baselines.associations.events import Argument, Event
from scoring.baselines.associations.ppmi import ppmi, smoothed_ppmi, syntactic, syntactic_smoothed, unstructured
from scoring.baselines.associations.tally import Tally
from tests.scoring.baselines.associations.stores import counted

TRIPLES = {
    ("nsubj", "arrest", "cop"): 6,
    ("nsubj", "arrest", "thief"): 2,
    ("nsubj", "eat", "cop"): 2,
    ("obj", "arrest", "thief"): 4,
    ("obj", "eat", "cake"): 8,
    # Met once: neither it nor its share of the marginals counts.
    ("obj", "eat", "thief"): 1,
}
LEMMAS = {("cop", "N"): 10, ("arrest", "V"): 8, ("thief", "N"): 10, ("eat", "V"): 4, ("cake", "N"): 8}
WINDOWS = {("cop", "arrest"): 4, ("arrest", "thief"): 5, ("thief", "arrest"): 3, ("arrest", "cop"): 1}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    counts = Tally(triples=Counter(TRIPLES), lemmas=Counter(LEMMAS), windows=Counter(WINDOWS))
    return counted(tmp_path_factory.mktemp("ppmi"), counts)


def event(verb, subject, other, *, places=(1, 2, 4)):
    arguments = (Argument("nsubj", subject, places[0]), Argument("obj", other, places[2]))
    return Event(verb, places[1], arguments)


def values(parts):
    return [value for _, value in parts]


def test_k1_ppmi_of_each_triple_over_the_triples_met_twice(store):
    # N = 6 + 2 + 2 + 4 + 8 = 22. arrest nsubj 8, cop nsubj 8; arrest obj 4, thief obj 4.
    found = syntactic(store, event("arrest", "cop", "thief"))
    assert [what for what, _ in found] == ["arrest nsubj cop", "arrest obj thief"]
    assert values(found) == pytest.approx([math.log2(6 * 22 / (8 * 8)), math.log2(4 * 22 / (4 * 4))])
    assert sum(values(found)) == pytest.approx(1.0443941 + 2.4594316)


def test_k1_what_was_not_met_twice_together_has_0(store):
    assert values(syntactic(store, event("eat", "cake", "thief"))) == [0, 0]
    # 2 · 22 / (8 · 8) is below 1, so that its logarithm is negative.
    assert ppmi(2, 8, 8, 22) == 0


def test_k2_the_published_arithmetic_adds_two_and_one(store):
    # 5 triples were met twice or more: N + V = 27.
    found = values(syntactic_smoothed(store, event("arrest", "cop", "thief")))
    assert found[0] == pytest.approx(math.log2((6 + 2) * 27 / (9 * 9)))
    unseen = values(syntactic_smoothed(store, event("eat", "cop", "thief")))[1]
    # Never met together (the one time does not count), and worth something all the same: log2(2 · 27 / (9 · 5)).
    assert unseen == pytest.approx(0.2630344)


@pytest.mark.parametrize(
    ("joint", "verb_role", "noun_role", "published"),
    [
        # yell with worker at it: neither was ever met in that relation, so that N + V alone is left.
        (0, 0, 0, 28.924984674152167),
        # sportsstar, a noun never met, as subject and object of interview.
        (0, 7_176, 0, 16.115819468780288),
        (0, 28_039, 0, 14.149785945254184),
        # Subjects of arrest (cop, criminal) and sentence (criminal, judge), met as often as the authors' log says:
        # one number for each verb and one for the criminal give the values of both.
        (24, 6_502, 3_327, 8.258094965711912),
        (6, 6_502, 3_770, 6.377363530570248),
        (0, 3_569, 3_770, 5.242544880094043),
        (534, 3_569, 16_818, 11.151561195695377),
    ],
)
def test_k2_is_the_arithmetic_of_the_published_files(joint, verb_role, noun_role, published):
    """One whole number for N + V, and one for each verb and noun, give the published values to the last place."""
    assert smoothed_ppmi(joint, verb_role, noun_role, 254_834_378, 0) == pytest.approx(published, abs=1e-12)


def test_k3_words_near_each_other_in_the_order_of_the_text(store):
    # All lemmas together were met 10 + 8 + 10 + 4 + 8 = 40 times.
    found = unstructured(store, event("arrest", "cop", "thief"), least_lemma=1, least_pair=1)
    assert [what for what, _ in found] == ["cop arrest", "arrest thief"]
    assert values(found) == pytest.approx([1.0, math.log2(2.5)])
    passive = event("arrest", "cop", "thief", places=(6, 3, 1))
    found = unstructured(store, passive, least_lemma=1, least_pair=1)
    assert [what for what, _ in found] == ["thief arrest", "arrest cop"]
    assert values(found) == [pytest.approx(math.log2(3 * 40 / 80)), 0]


def test_k3_what_is_too_rare_counts_as_never_met(store):
    assert values(unstructured(store, event("arrest", "cop", "thief"), least_lemma=1, least_pair=5))[0] == 0
    assert values(unstructured(store, event("arrest", "cop", "thief"), least_lemma=9, least_pair=1)) == [0, 0]
