"""Cut points: exact against trying every set of them, one way up the scale, and blind to the item that is judged."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.folds import ENOUGH_GROUPS, FOLDS, Folds, folds
from comparison.statistics.strengths.cut_points import FEWEST_ITEMS, CutRow, cross_fitted, degree, fit

# Few values, so that equal strengths are frequent.
STRENGTHS = st.integers(-3, 3).map(lambda number: number / 2)


def small(most):
    return st.lists(st.tuples(STRENGTHS, st.integers(0, 3)), min_size=1, max_size=most)


def arrays(pairs):
    strengths, labels = zip(*pairs, strict=True)
    return np.array(strengths, dtype=float), np.array(labels)


def places(strengths):
    points = sorted(set(strengths.tolist()))
    middles = [(one + other) / 2 for one, other in itertools.pairwise(points)]
    return [-np.inf, *middles, np.inf]


@pytest.mark.slow
@settings(max_examples=150)
@given(small(9), st.integers(4, 5))
def test_no_set_of_cuts_does_better_and_ties_go_to_the_nearest_then_the_lowest(pairs, degrees):
    strengths, labels = arrays(pairs)

    def rank(cuts):
        decided = degree(strengths, cuts)
        return int((decided == labels).sum()), -int(np.abs(decided - labels).sum())

    every = list(itertools.combinations_with_replacement(places(strengths), degrees - 1))
    best = max(rank(cuts) for cuts in every)
    found = fit(strengths, labels, degrees=degrees)
    assert rank(found) == best
    tied = [cuts for cuts in every if rank(cuts) == best]
    assert found == tuple(min(places) for places in zip(*tied, strict=True)), "every cut is as low as it can be"


@settings(max_examples=60)
@given(small(40), st.lists(STRENGTHS, min_size=2, max_size=10))
@pytest.mark.slow
def test_a_higher_strength_never_has_a_lower_degree(pairs, asked):
    cuts = fit(*arrays(pairs), degrees=4)
    assert list(cuts) == sorted(cuts)
    assert (np.diff(degree(np.array(sorted(asked)), cuts)) >= 0).all()


def test_degrees_that_can_be_told_apart_are():
    strengths = np.array([-9, -8, -2, -1, 3, 4, 7.0])
    labels = np.array([0, 0, 1, 1, 2, 2, 4])
    cuts = fit(strengths, labels, degrees=5)
    assert cuts == (-5.0, 1.0, 5.5, 5.5), "nothing is of the fourth degree, so it begins where the fifth does"
    assert degree(strengths, cuts).tolist() == labels.tolist()


def test_one_strength_is_one_degree_and_one_class_is_that_class():
    assert set(degree(np.zeros(5), fit(np.zeros(5), np.array([0, 1, 1, 2, 1]), degrees=3))) == {1}
    assert set(degree(np.arange(4.0), fit(np.arange(4.0), np.full(4, 2), degrees=3))) == {2}


def test_between_neighboring_numbers_the_cut_is_the_upper_one():
    one = 1.0
    other = np.nextafter(one, 2)
    assert fit(np.array([one, other]), np.array([0, 1]), degrees=2) == (other,)


def names(size):
    return [f"item-{number}" for number in range(size)]


def alone(size):
    return folds(names(size), [""] * size, [""] * size)


def test_items_that_hang_together_are_in_one_fold():
    size = 300
    groups = ["g", "g", "", "h"] + [""] * (size - 4)
    sources = ["x", "y", "y", "z"] + [f"s{number}" for number in range(size - 4)]
    drawn = folds(names(size), groups, sources)
    # The third has the source of the second, which has the group of the first.
    assert len(set(drawn.of_items[:3].tolist())) == 1
    assert drawn.groups == size - 2
    assert set(drawn.of_items.tolist()) == set(range(FOLDS))


def test_folds_do_not_depend_on_order_or_on_other_items():
    size = 200
    drawn = dict(zip(names(size), alone(size).of_items.tolist(), strict=True))
    backwards = folds(names(size)[::-1], [""] * size, [""] * size).of_items.tolist()
    assert dict(zip(names(size)[::-1], backwards, strict=True)) == drawn
    assert alone(size - 50).of_items.tolist() == list(drawn.values())[: size - 50]


def test_small_sets_leave_out_one_group_at_a_time():
    assert alone(ENOUGH_GROUPS - 1).words == "each of 99 groups left out in turn"
    assert alone(ENOUGH_GROUPS).words == "10 folds"


def related(size, *, noise=1.0, seed=4):
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, 3, size)
    labels = np.digitize(strengths + rng.normal(0, noise, size), [-3, -1, 1, 3])
    return strengths, labels


@pytest.mark.parametrize("size", [40, 240])
@pytest.mark.slow
def test_an_items_own_label_never_changes_its_own_degree(size):
    """Each item's label is replaced by every other label; so are the labels of its whole fold, all at once."""
    strengths, labels = related(size)
    drawn = alone(size)
    before, _ = cross_fitted(strengths, labels, drawn, degrees=5)
    for item in range(0, size, 7):
        for label in range(5):
            changed = labels.copy()
            changed[item] = label
            assert cross_fitted(strengths, changed, drawn, degrees=5)[0][item] == before[item]
    rng = np.random.default_rng(1)
    for fold in np.unique(drawn.of_items):
        here = drawn.of_items == fold
        changed = np.where(here, rng.integers(5, size=size), labels)
        assert (cross_fitted(strengths, changed, drawn, degrees=5)[0][here] == before[here]).all()


def test_the_label_of_a_group_member_does_not_change_the_degree_either():
    strengths, labels = related(120)
    groups = [f"g{number // 4}" for number in range(120)]
    drawn = folds(names(120), groups, [""] * 120)
    before, cuts = cross_fitted(strengths, labels, drawn, degrees=5)
    assert cuts.how == "each of 30 groups left out in turn"
    changed = labels.copy()
    changed[1:4] = 4 - changed[1:4]
    assert cross_fitted(strengths, changed, drawn, degrees=5)[0][0] == before[0]


def test_labels_by_chance_are_not_hit_more_than_by_chance():
    """With labels drawn apart from strengths, fitting finds patterns; judging by others' cuts does not reward them."""
    rng = np.random.default_rng(8)
    hits, fitted = [], []
    for _ in range(30):
        strengths, labels = rng.normal(size=200), rng.integers(2, size=200)
        decided, _ = cross_fitted(strengths, labels, alone(200), degrees=2)
        hits.append((decided == labels).mean())
        fitted.append((degree(strengths, fit(strengths, labels, degrees=2)) == labels).mean())
    assert np.mean(hits) < 0.52 < 0.54 < np.mean(fitted)


def test_strengths_that_order_the_items_are_read_as_degrees():
    strengths, labels = related(600, noise=0.1)
    decided, cuts = cross_fitted(strengths, labels, alone(600), degrees=5)
    assert (decided == labels).mean() > 0.9
    assert (cuts.n, len(cuts.folds), sum(fold.judged for fold in cuts.folds)) == (600, FOLDS, 600)
    assert all(fold.judged + fold.fitted == 600 for fold in cuts.folds)
    rows = cuts.rows(["a", "b", "c", "d", "e"])
    assert [row.value for row in rows] == ["b", "c", "d", "e"]
    assert [row.low for row in rows] == pytest.approx([-3, -1, 1, 3], abs=0.25)
    assert [row.high for row in rows] == pytest.approx([-3, -1, 1, 3], abs=0.25)
    assert cuts.words == "degrees by cross-fitted cut points, 600 items, 10 folds"


def test_where_a_degree_begins_in_words():
    assert CutRow("b", -1.25, 0.5).words == "−1.25 to +0.5"
    assert CutRow("b", 2.0, 2.0).words == "+2"
    assert CutRow("b", -np.inf, np.inf).words == "below every strength to above every strength"


def test_items_without_a_label_are_judged_and_items_without_a_strength_are_not():
    strengths, labels = related(150)
    labels[:10], strengths[10:20] = MISSING, np.nan
    decided, cuts = cross_fitted(strengths, labels, alone(150), degrees=5)
    assert (decided[:10] != MISSING).all()
    assert (decided[10:20] == MISSING).all()
    assert cuts.n == 130


@pytest.mark.parametrize(
    ("labels", "drawn", "why"),
    [
        (np.arange(FEWEST_ITEMS - 1) % 3, alone(FEWEST_ITEMS - 1), "19 items have both a strength and a label"),
        (np.zeros(60, dtype=int), alone(60), "every label is the same"),
        (np.arange(60) % 3, Folds(np.arange(60) % 4, 4), "of fewer than 5 groups"),
        (np.full(60, MISSING), alone(60), "0 items have both"),
    ],
)
def test_why_there_are_no_degrees(labels, drawn, why):
    decided, cuts = cross_fitted(np.arange(len(labels), dtype=float), labels, drawn, degrees=3)
    assert why in cuts.undefined
    assert (decided == MISSING).all()
    assert cuts.folds == ()
