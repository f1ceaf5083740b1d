"""What must not matter to any coefficient from counts, and what is never shown."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.agreement.from_counts import brennan_prediger, fleiss, gwet, percent_agreement
from comparison.statistics.resampling.sample import Sample

COUNTS = arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(0, 3))
NOMINAL = (percent_agreement, fleiss, gwet, brennan_prediger, partial(krippendorff_alpha, level="nominal"))
ORDERED = (
    partial(fleiss, weighting="quadratic"),
    partial(gwet, weighting="ordinal"),
    partial(brennan_prediger, weighting="linear"),
    *(partial(krippendorff_alpha, level=level) for level in ("ordinal", "interval", "ratio")),
)
EVERY = NOMINAL + ORDERED


@pytest.mark.parametrize("statistic", EVERY)
@pytest.mark.parametrize("counts", [np.zeros((0, 3), int), np.zeros((2, 3), int), np.eye(3, dtype=int)])
def test_fewer_than_two_labels_is_said_in_words(statistic, counts):
    assert str(statistic(counts)) == "undefined: no item has two labels yet"


@hypothesis_settings(max_examples=40)
@given(COUNTS, st.randoms(use_true_random=False))
@pytest.mark.slow
def test_the_order_of_items_does_not_matter(counts, rng):
    order = list(range(len(counts)))
    rng.shuffle(order)
    for statistic in EVERY:
        assert statistic(counts) == statistic(counts[order])


@pytest.mark.slow
@hypothesis_settings(max_examples=40)
@given(COUNTS, st.randoms(use_true_random=False))
def test_renaming_labels_does_not_matter_on_a_nominal_scale(counts, rng):
    order = list(range(counts.shape[1]))
    rng.shuffle(order)
    for statistic in NOMINAL:
        assert statistic(counts).value == pytest.approx(statistic(counts[:, order]).value)


@pytest.mark.slow
@hypothesis_settings(max_examples=40)
@given(COUNTS)
def test_turning_an_ordered_scale_round_does_not_matter(counts):
    for statistic in ORDERED[:-1]:
        assert statistic(counts).value == pytest.approx(statistic(counts[:, ::-1]).value)


@hypothesis_settings(max_examples=40)
@given(COUNTS, st.data())
@pytest.mark.slow
def test_patterns_with_weights_are_items_one_by_one(counts, data):
    weights = np.array(data.draw(st.lists(st.integers(1, 20), min_size=len(counts), max_size=len(counts))))
    for statistic in EVERY:
        assert statistic(counts, sample=Sample(weights=weights)) == statistic(np.repeat(counts, weights, axis=0))


@hypothesis_settings(max_examples=40)
@given(COUNTS)
@pytest.mark.slow
def test_no_statistic_is_ever_nan(counts):
    for statistic in EVERY:
        found = statistic(counts)
        assert (found.value is None) == bool(found.undefined)
        assert "nan" not in str(found)


@pytest.mark.parametrize("statistic", EVERY)
def test_perfect_agreement_is_one_and_chance_is_about_none(statistic):
    rng = np.random.default_rng(2)
    perfect = np.eye(3, dtype=int)[rng.integers(3, size=200)] * 4
    assert statistic(perfect).value == pytest.approx(1)
    random = rng.multinomial(4, [1 / 3] * 3, size=3000)
    if statistic is percent_agreement:
        assert statistic(random).value == pytest.approx(1 / 3, abs=0.02)
    else:
        assert statistic(random).value == pytest.approx(0, abs=0.04)


@pytest.mark.parametrize("statistic", EVERY)
def test_clusters_are_drawn_whole(statistic):
    rng = np.random.default_rng(3)
    counts = np.repeat(rng.multinomial(4, [0.6, 0.3, 0.1], size=40), 5, axis=0)
    plain, clustered = statistic(counts), statistic(counts, sample=Sample(clusters=np.repeat(np.arange(40), 5)))
    assert clustered.value == pytest.approx(plain.value)
    assert clustered.high - clustered.low > 1.5 * (plain.high - plain.low)


def test_percent_agreement_counts_every_pair_alike():
    found = percent_agreement(np.array([[3, 0], [1, 1]]))
    assert found.value == 3 / 4
    assert percent_agreement(np.array([[3, 0], [3, 0]])).value == 1
    assert str(percent_agreement(np.array([[3, 0], [3, 0]]))) == "1.0 [.3, 1.0], n = 2"
