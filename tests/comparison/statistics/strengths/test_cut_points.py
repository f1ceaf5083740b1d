"""Cut points: each degree as often as labels have it, one way up the scale, and no pull on noise."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison.statistics.accuracy.hits import kappa
from comparison.statistics.counts import MISSING
from comparison.statistics.strengths.correlation import spearman
from comparison.statistics.strengths.cut_points import FEWEST_ITEMS, CutRow, cut, degree, fit

# Few values, so that equal strengths are frequent.
STRENGTHS = st.integers(-3, 3).map(lambda number: number / 2)
WORLDS = 400


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(STRENGTHS, min_size=1, max_size=40), st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_a_higher_strength_never_has_a_lower_degree(strengths, counts):
    cuts = fit(np.array(strengths), np.array(counts))
    assert list(cuts) == sorted(cuts)
    assert (np.diff(degree(np.array(sorted(strengths)), cuts)) >= 0).all()


def test_each_degree_is_as_frequent_as_among_the_labels():
    strengths = np.array([7.0, -9, -2, 3, -8, -1, 4])
    assert fit(strengths, np.array([2, 2, 2, 0, 1])) == (-5.0, 1.0, 5.5, 5.5), "the fourth begins where the fifth does"
    rng = np.random.default_rng(2)
    labels = rng.choice(5, size=300, p=[0.05, 0.1, 0.6, 0.2, 0.05])
    decided, _ = cut(rng.normal(size=300), labels, degrees=5)
    assert np.bincount(decided, minlength=5).tolist() == np.bincount(labels, minlength=5).tolist()


def test_equal_strengths_have_one_degree_and_the_cut_goes_to_the_nearer_side():
    strengths = np.array([0.0] * 6 + [1.0] * 3 + [2.0])
    assert fit(strengths, np.array([5, 5])) == (0.5,), "six below, where five are wanted"
    assert fit(strengths, np.array([2, 8])) == (-np.inf,), "none below is nearer than six"
    assert fit(np.array([0.0, 0, 1, 1]), np.array([1, 3])) == (-np.inf,), "of both as near the lower"


def test_between_neighboring_numbers_the_cut_is_the_upper_one():
    other = np.nextafter(1.0, 2)
    assert fit(np.array([1.0, other]), np.array([1, 1])) == (other,)


def test_the_same_labels_in_another_order_give_the_same_degrees():
    """So that whatever noise reaches, it reaches by dealing: the test against dealt-out labels is exact."""
    rng = np.random.default_rng(5)
    strengths, labels = rng.normal(size=90), rng.integers(4, size=90)
    before, _ = cut(strengths, labels, degrees=4)
    for _ in range(20):
        assert (cut(strengths, rng.permutation(labels), degrees=4)[0] == before).all()


def noise(size, values, together, has_one_label, rng):
    """Strengths and labels that know nothing of each other; `together` items have a group, and maybe one label."""
    groups = np.arange(size) // together
    if has_one_label:
        labels = rng.permutation(np.arange(groups.max() + 1) % values)[groups]
    else:
        labels = rng.permutation(np.arange(size) % values)
    shared = rng.normal(size=groups.max() + 1)[groups] if together > 1 else 0.0
    return rng.normal(size=size) + shared, labels


@pytest.mark.parametrize("values", [2, 3, 5, 7])
@pytest.mark.parametrize(("together", "has_one_label"), [(1, False), (2, False), (5, False), (2, True), (5, True)])
def test_noise_agrees_as_often_as_chance(values, together, has_one_label):
    """Every other world is the mirror of the one before, so that luck evens out sooner; a pull is the same in both."""
    rng = np.random.default_rng((values, together, has_one_label))
    right, beyond = [], []
    for world in range(WORLDS // 2):
        # As many items of each label, or nearly.
        size = max((20, 40, 100, 200)[world % 4], 3 * values * together * has_one_label)
        strengths, labels = noise(size, values, together, has_one_label, rng)
        for seen in (strengths, -strengths):
            decided, _ = cut(seen, labels, degrees=values)
            shares = np.bincount(decided, minlength=values) @ np.bincount(labels, minlength=values) / size**2
            hits = (decided == labels).mean()
            right.append(hits)
            beyond.append((hits - shares) / (1 - shares))
    assert abs(np.mean(right) - 1 / values) < 0.01
    assert abs(np.mean(beyond)) < 0.02


def test_a_signal_is_found_as_often_as_by_the_best_cut_that_there_is():
    """Two labels, 1 : 1, and a strength that follows what is behind them at r = .6: .705 at best (1/2 + asin(.6)/π)."""
    rng = np.random.default_rng(3)
    right = []
    for _ in range(60):
        behind = rng.normal(size=400)
        labels = (behind > np.median(behind)).astype(int)
        decided, _ = cut(0.6 * behind + 0.8 * rng.normal(size=400), labels, degrees=2)
        right.append((decided == labels).mean())
    assert np.mean(right) == pytest.approx(0.7048, abs=0.01)


def related(size, *, noise=1.0, seed=4):
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, 3, size)
    labels = np.digitize(strengths + rng.normal(0, noise, size), [-3, -1, 1, 3])
    return strengths, labels


def test_strengths_that_order_the_items_are_read_as_degrees():
    strengths, labels = related(600, noise=0.1)
    decided, cuts = cut(strengths, labels, degrees=5)
    assert (decided == labels).mean() > 0.9
    rows = cuts.rows(["a", "b", "c", "d", "e"])
    assert [row.value for row in rows] == ["b", "c", "d", "e"]
    assert [row.cut for row in rows] == pytest.approx([-3, -1, 1, 3], abs=0.25)
    assert cuts.words == "labels by cut points, each as frequent as in the labels of 600 items"


def test_where_a_degree_begins_in_words():
    assert CutRow("b", -1.25).words == "−1.25"
    assert CutRow("b", 2.0).words == "+2"
    assert CutRow("b", -np.inf).words == "below every score"
    assert CutRow("b", np.inf).words == "above every score"


def test_items_without_a_label_are_judged_and_items_without_a_strength_are_not():
    strengths, labels = related(150)
    labels[:10], strengths[10:20] = MISSING, np.nan
    decided, cuts = cut(strengths, labels, degrees=5)
    assert (decided[:10] != MISSING).all()
    assert (decided[10:20] == MISSING).all()
    assert cuts.n == 130


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (np.arange(FEWEST_ITEMS - 1) % 3, "19 items have both a score and a label"),
        (np.zeros(60, dtype=int), "all labels are the same"),
        (np.full(60, MISSING), "0 items have both"),
    ],
)
def test_why_there_are_no_degrees(labels, why):
    decided, cuts = cut(np.arange(len(labels), dtype=float), labels, degrees=3)
    assert why in cuts.undefined
    assert (decided == MISSING).all()
    assert cuts.places == ()


def test_of_equal_strengths_nothing_is_made():
    """Forty equal strengths on 20 and 20 labels had 0 of 40 right, and κ = −1."""
    labels = np.repeat([0, 4], 20)
    # Also where rounding leaves the last digit, and by it κ = −1 or 1.
    rounded = np.where(labels == 0, 0.1 + 0.2, 0.3)
    for strengths in (np.full(40, -12.5), rounded, -rounded):
        decided, cuts = cut(strengths, labels, degrees=5)
        assert cuts.undefined == spearman(strengths, labels + 1.0).undefined == "every item has the same score"
        assert (decided == MISSING).all()
        assert kappa(decided, labels, values=5).value is None


def test_many_items_are_cut_in_no_time():
    rng = np.random.default_rng(1)
    strengths, labels = rng.normal(size=100_000), rng.integers(7, size=100_000)
    began = time.process_time()
    cut(strengths, labels, degrees=7)
    assert time.process_time() - began < 0.5, "200 runs of 100,000 items take seconds"
