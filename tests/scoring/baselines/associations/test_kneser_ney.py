"""Interpolated Kneser–Ney by hand (docs/metrics.md, N1 to N5) on five sentences: a b, a b, a c, d, d b."""

import math

import pytest

from scoring.baselines.associations.kneser_ney import KneserNey, TooLittleText
from scoring.baselines.associations.places import END, START
from scoring.baselines.associations.tally import Tally
from tests.scoring.baselines.associations.stores import counted

SENTENCES = ("a b", "a b", "a c", "d", "d b")


def model(folder, sentences):
    tally = Tally()
    tally.add([sentence, [], []] for sentence in sentences)
    return KneserNey.estimated(counted(folder, tally))


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    return model(tmp_path_factory.mktemp("five"), SENTENCES)


def test_n2_one_discount_for_each_length(five):
    # By how many different words stand before: a, c, d 1, b 2, end 3; of pairs five 1, two 2. Of triples five were met
    # once and two twice.
    assert five.discounts == (pytest.approx(3 / 5), pytest.approx(5 / 9), pytest.approx(5 / 9))


def test_n3_one_word_by_how_many_different_ones_stand_before_it(five):
    # 8 different pairs, 5 words: (2 - .6) / 8 + .6 · 5 / 8 / 6.
    assert five.probability("b", ()) == pytest.approx(0.2375)
    assert five.probability(END, ()) == pytest.approx(0.3625)


def test_n3_two_and_three_words_by_hand(five):
    # After a: b and c, each after one word: (1 - 5/9) / 2 + 5/9 · 2/2 · .2375.
    assert five.probability("b", ("a",)) == pytest.approx(0.3541667)
    # After the start and a: b twice, c once: (2 - 5/9) / 3 + 5/9 · 2/3 · .3541667.
    assert five.probability("b", (START, "a")) == pytest.approx(0.6126543)
    # What begins a sentence keeps its count: a 3 of 5.
    assert five.probability("a", (START,)) == pytest.approx(0.5138889)


def test_n1_a_sentence_with_its_end(five):
    found = five.sentence(["a", "b"])
    assert [math.exp(one) for one in found] == pytest.approx([0.5138889, 0.6126543, 0.9508102])


def test_n4_an_unknown_word_gets_the_share_of_one_word_never_met(five):
    assert five.probability("z", ()) == pytest.approx(0.6 * 5 / 8 / 6)
    assert five.probability("z", (START, "a")) == pytest.approx(0.0128601, abs=1e-7)
    # After an unknown word the shorter context stands.
    assert five.probability("b", ("z", "a")) == five.probability("b", ("a",))
    assert five.probability("b", ("a", "z")) == five.probability("b", ())


@pytest.mark.parametrize("before", [(), ("a",), ("b",), (START,), (START, "a"), ("d", "b"), ("z", "z")])
def test_n3_probabilities_sum_to_1(five, before):
    assert sum(five.probability(word, before) for word in ("a", "b", "c", "d", END, "unknown")) == pytest.approx(1)


def test_n5_too_little_text_is_refused(tmp_path):
    with pytest.raises(TooLittleText, match="too little text for n-grams: of 1 in a row"):
        model(tmp_path, ["a b", "a b"])
