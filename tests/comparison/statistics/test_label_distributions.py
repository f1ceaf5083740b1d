"""Distances between label distributions, against SciPy and by hand, and people's own beside them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from comparison.statistics import divergence
from comparison.statistics.counts import MISSING
from comparison.statistics.divergence import (
    NOTHING_SHARED,
    by_the_others,
    cross_entropy,
    mean_of,
    one_hot,
    people_entropy,
    shares,
)
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.agreement.made import ends, value

BOTH = [divergence.distances, divergence.variations]


def made(seed, *, items=60, people=5, values=3):
    rng = np.random.default_rng(seed)
    true = rng.dirichlet(np.ones(values), size=items)
    counts = np.array([rng.multinomial(people, row) for row in true])
    return counts, rng.dirichlet(np.ones(values), size=items)


def test_jensen_shannon_is_scipy_s_distance_in_bits():
    counts, run = made(1)
    theirs = [jensenshannon(one, other, base=2) for one, other in zip(counts, run, strict=True)]
    found = divergence.jensen_shannon(counts, run)
    assert found.value == pytest.approx(np.mean(theirs), abs=1e-12)
    low, mean, high = ends(found)
    assert found.n == 60 and low < mean < high
    natural = [jensenshannon(one, other) for one, other in zip(counts, run, strict=True)]
    assert np.mean(natural) / mean == pytest.approx(0.8326, abs=1e-4)


def test_cross_entropy_is_the_entropy_and_scipy_s_divergence():
    counts, run = made(2)
    theirs = [
        entropy(one, base=2) + entropy(one, other, base=2) for one, other in zip(shares(counts), run, strict=True)
    ]
    assert cross_entropy(counts, run).value == pytest.approx(np.mean(theirs), abs=1e-12)
    assert people_entropy(counts).value == pytest.approx(np.mean([entropy(row, base=2) for row in counts]))


def test_total_variation_by_hand():
    found = divergence.total_variation(np.array([[3, 1], [0, 4]]), np.array([[0.5, 0.5], [1.0, 0.0]]))
    assert found.value == pytest.approx((0.25 + 1) / 2)


def test_items_that_miss_labels_or_probabilities_are_left_out():
    counts, run = made(3)
    counts[:5], run[5:9] = 0, np.nan
    for measure in (divergence.jensen_shannon, divergence.total_variation, cross_entropy):
        assert measure(counts, run) == measure(counts[9:], run[9:])
        assert measure(counts[:9], run[:9]).undefined == NOTHING_SHARED


def test_one_label_has_no_cross_entropy_and_the_items_are_counted():
    counts = np.array([[3, 1], [4, 0], [0, 0]])
    found = cross_entropy(counts, one_hot(np.array([0, 0, 0]), values=2))
    assert found.undefined == "infinite: probability 0 for a label that was given, on 1 of 2 items"
    assert cross_entropy(counts[1:], one_hot(np.array([0, MISSING]), values=2)).value == 0


@pytest.mark.parametrize("distances", BOTH)
def test_one_person_against_the_others_by_a_loop_over_people(distances):
    counts, _ = made(4, people=4)
    each = []
    for row in counts:
        labels = np.repeat(np.arange(3), row)
        apart = []
        for place, label in enumerate(labels):
            others = np.bincount(np.delete(labels, place), minlength=3)
            apart.append(distances(np.eye(3)[[label]], shares(others[None]))[0])
        each.append(np.mean(apart))
    assert divergence.one_person(counts, distances).value == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("distances", BOTH)
@pytest.mark.parametrize("people", [2, 4, 5])
def test_halves_by_a_loop_over_all_ways_to_part_the_people(distances, people):
    counts, _ = made(5, people=people, items=20)
    each = []
    for row in counts:
        labels = np.repeat(np.arange(3), row)
        ways = []
        for chosen in combinations(range(people), people // 2):
            one = np.bincount(labels[list(chosen)], minlength=3)
            ways.append(distances(shares(one[None]), shares((row - one)[None]))[0])
        each.append(np.mean(ways))
    assert divergence.half(counts, distances).value == pytest.approx(np.mean(each), abs=1e-12)


def test_halves_of_very_many_labels_are_drawn_and_near_to_all_of_them(monkeypatch):
    counts = np.array([[12, 9, 9], [20, 5, 5]])
    exact = divergence.half(counts, divergence.variations).value
    monkeypatch.setattr(divergence, "WAYS", 10)
    drawn = divergence.half(counts, divergence.variations)
    assert drawn.value == pytest.approx(exact, abs=0.02)
    assert divergence.half(counts[::-1], divergence.variations).value == pytest.approx(drawn.value, abs=1e-15)


def test_people_with_one_label_an_item_have_no_ceiling():
    counts = np.array([[1, 0], [0, 0]])
    for found in (
        divergence.one_person(counts, divergence.variations),
        divergence.half(counts, divergence.variations),
        by_the_others(counts),
        people_entropy(counts),
    ):
        assert found.undefined == "no item has two labels"


def test_bits_by_the_others_by_a_loop_over_people():
    counts, _ = made(6)
    each = []
    for row in counts:
        labels = np.repeat(np.arange(3), row)
        bits = []
        for place, label in enumerate(labels):
            others = np.bincount(np.delete(labels, place), minlength=3) + 0.5
            bits.append(-np.log2(others[label] / others.sum()))
        each.append(np.mean(bits))
    assert by_the_others(counts).value == pytest.approx(np.mean(each), abs=1e-12)


def test_patterns_with_weights_give_the_same_figures_as_their_items():
    counts, _ = made(7)
    rows, times = np.unique(counts, axis=0, return_counts=True)
    patterns = Sample(weights=times)
    run = np.tile([0.5, 0.3, 0.2], (len(counts), 1))
    for one, other in (
        (
            divergence.jensen_shannon(counts, run),
            divergence.jensen_shannon(rows, run[: len(rows)], sample=patterns),
        ),
        (cross_entropy(counts, run), cross_entropy(rows, run[: len(rows)], sample=patterns)),
        (divergence.half(counts, BOTH[0]), divergence.half(rows, BOTH[0], sample=patterns)),
        (by_the_others(counts), by_the_others(rows, sample=patterns)),
    ):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-12)
        assert one.n == other.n


@pytest.mark.slow
def test_a_run_that_answers_like_one_of_the_people_is_as_far_as_one_person():
    rng = np.random.default_rng(8)
    true = rng.dirichlet([1, 1, 1], size=4000)
    labels = np.array([rng.choice(3, size=6, p=row) for row in true])
    counts = np.array([np.bincount(row, minlength=3) for row in labels[:, :5]])
    people = divergence.one_person(np.array([np.bincount(row, minlength=3) for row in labels]), divergence.variations)
    run = divergence.total_variation(counts, one_hot(labels[:, 5], values=3))
    low, _, high = ends(run)
    assert low < value(people) < high


@pytest.mark.slow
def test_of_very_many_values_only_the_interval_is_rounded():
    values = np.random.default_rng(9).random(12_000)
    found = mean_of(values)
    assert found.value == pytest.approx(values.mean(), abs=1e-15)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.0015)


rows = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(lambda row: sum(row) > 0)


@pytest.mark.slow
@given(st.lists(st.tuples(rows, rows), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_distances_are_the_same_both_ways_from_0_to_1_and_for_any_names(pairs):
    one, other = (shares(np.array(side)) for side in zip(*pairs, strict=True))
    for distances in BOTH:
        found = distances(one, other)
        assert found == pytest.approx(distances(other, one))
        assert found == pytest.approx(distances(one[:, ::-1], other[:, ::-1]))
        assert ((found >= 0) & (found <= 1 + 1e-12)).all()
        assert distances(one, one) == pytest.approx(np.zeros(len(one)), abs=1e-7)
