"""Annotators at chance and runs that follow one annotator: found where made, and seldom where there are none."""

import numpy as np
import pytest

from comparison.statistics.agreement.at_chance import at_chance
from comparison.statistics.agreement.camps import camps
from comparison.statistics.agreement.following import following
from comparison.statistics.agreement.reversed import run_against
from comparison.statistics.counts import count
from comparison.statistics.resampling.sample import Sample

WORLDS = 100


def labeled(rng, skills, *, items, values=2):
    """Truth, and labels of shape (items, people), each right as often as its skill."""
    truth = rng.integers(values, size=items)
    wrong = (truth[:, None] + rng.integers(1, values, size=(items, len(skills)))) % values
    return truth, np.where(rng.random((items, len(skills))) < np.array(skills), truth[:, None], wrong)


def one_by_one(labels, values):
    items, people = labels.shape
    rows, raters = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    return rows, raters, labels.ravel(), count(rows, labels.ravel(), size=items, values=values)


@pytest.mark.slow
@pytest.mark.parametrize(("skills", "values"), [([0.7] * 5, 2), ([0.8] * 3, 2), ([0.5] * 5, 2), ([0.6] * 5, 5)])
def test_where_all_are_alike_somebody_is_named_in_at_most_5_of_100_studies(skills, values):
    rng = np.random.default_rng(1)
    named = [at_chance(*one_by_one(labeled(rng, skills, items=100, values=values)[1], values)) for _ in range(WORLDS)]
    assert sum(one is not None for one in named) <= 9, "5 of 100, and two standard errors"


@pytest.mark.slow
def test_a_coin_among_good_people_is_found_and_nobody_else():
    rng = np.random.default_rng(2)
    named = [at_chance(*one_by_one(labeled(rng, [0.8] * 4 + [0.5], items=100)[1], 2)) for _ in range(WORLDS)]
    assert sum(one is not None and one.raters == (4,) for one in named) >= 85
    assert all(one is None or one.raters == (4,) for one in named)


@pytest.mark.slow
def test_hard_items_make_nobody_odd():
    """One person labels only the items on which everybody guesses."""
    rng = np.random.default_rng(3)
    rows, raters = np.repeat(np.arange(150), 4), np.tile(np.arange(4), 150)
    raters = np.where((rows >= 50) & (raters == 3), 4, raters)
    named = []
    for _ in range(WORLDS):
        truth = rng.integers(2, size=150)
        right = rng.random(600) < np.where(rows < 50, 0.5, 0.9)
        labels = np.where(right, truth[rows], 1 - truth[rows])
        named.append(at_chance(rows, raters, labels, count(rows, labels, size=150, values=2)))
    assert sum(one is not None for one in named) <= 9


@pytest.mark.slow
@pytest.mark.parametrize("skills", [[0.8] * 5, [0.65, 0.73, 0.81, 0.89, 0.97], [0.7, 0.7, 0.7, 0.7, 0.99]])
def test_a_good_run_does_not_follow_a_good_annotator(skills):
    rng, found = np.random.default_rng(4), 0
    for _ in range(WORLDS):
        _, labels = labeled(rng, [*skills, 0.97, 0.9, 0.7], items=150)
        runs = {run: labels[:, len(skills) + run] for run in range(3)}
        found += bool(following(runs, *one_by_one(labels[:, : len(skills)], 2)))
    assert found <= 9


@pytest.mark.slow
def test_in_a_camp_nobody_is_the_source():
    rng, found = np.random.default_rng(5), 0
    for _ in range(WORLDS):
        ours, mine = labeled(rng, [0.9, 0.9, 0.9, 0.9], items=240)
        theirs = np.where(rng.random(240) < 0.35, rng.integers(2, size=240), ours)
        others = np.where(rng.random((240, 2)) < 0.9, theirs[:, None], 1 - theirs[:, None])
        found += bool(following({0: mine[:, 3]}, *one_by_one(np.hstack([mine[:, :3], others]), 2)))
    assert found <= 9


@pytest.mark.slow
def test_a_copy_is_found_with_its_source():
    rng = np.random.default_rng(6)
    for _ in range(20):
        _, labels = labeled(rng, [0.8] * 5, items=240)
        copy = np.where(rng.random(240) < 0.95, labels[:, 2], 1 - labels[:, 2])
        [one] = following({7: copy}, *one_by_one(labels, 2))
        assert (one.run, one.rater, one.items) == (7, 2, 240)


def lenient_world(rng, *, items=200):
    """Four people with one threshold and a lenient one, of which a model has the threshold, with errors of its own."""
    seen = rng.normal(size=(items, 1)) + 0.5 * rng.normal(size=(items, 6))
    labels = (seen > np.array([0, 0, 0, 0, -0.9, -0.9])).astype(int)
    return labels[:, :5], labels[:, 5]


@pytest.mark.slow
def test_a_model_that_is_as_lenient_as_one_annotator_is_no_copy():
    rng, found = np.random.default_rng(8), 0
    for _ in range(WORLDS):
        labels, model = lenient_world(rng)
        found += bool(following({0: model}, *one_by_one(labels, 2)))
    assert found <= 5


def rated(rng, careful, *, items, turned=()):
    """One truth on five points; each annotator is within a point of it as often as they are careful."""
    truth = rng.integers(5, size=items)
    near = np.clip(truth[:, None] + rng.integers(-1, 2, size=(items, len(careful))), 0, 4)
    labels = np.where(rng.random(near.shape) < np.array(careful), near, rng.integers(5, size=near.shape))
    labels[:, turned] = 4 - labels[:, turned]
    return one_by_one(labels, 5)[:3]


@pytest.mark.parametrize("careful", [[0.0] * 3, [0.9, 0.6, 0.3, 0.0], [0.9, 0.0, 0.0, 0.0, 0.0]])
def test_nobody_runs_against_the_others_where_nobody_has_the_scale_upside_down(careful):
    rng = np.random.default_rng(7)
    named = [run_against(*rated(rng, careful, items=80)) for _ in range(WORLDS)]
    assert sum(bool(one) for one in named) <= 9


@pytest.mark.parametrize(("careful", "turned"), [([0.9] * 3, [2]), ([0.9, 0.5, 0.95], [2]), ([0.8] * 5, [1, 4])])
def test_those_with_the_scale_upside_down_are_named_and_nobody_else(careful, turned):
    rng = np.random.default_rng(8)
    for _ in range(20):
        found = run_against(*rated(rng, careful, items=150, turned=turned))
        assert sorted(one.rater for one in found) == turned


def test_of_two_halves_that_contradict_each_other_nobody_is_named():
    rng = np.random.default_rng(9)
    for _ in range(20):
        assert not run_against(*rated(rng, [0.9] * 4, items=150, turned=[2, 3]))
        assert not run_against(*rated(rng, [0.9] * 2, items=150, turned=[1]))


@pytest.mark.slow
@pytest.mark.parametrize("skills", [[0.8] * 5, [0.95, 0.95, 0.9, 0.6, 0.6, 0.55], [0.5] * 4])
def test_people_who_go_by_one_truth_are_no_camps(skills):
    rng, found = np.random.default_rng(10), 0
    for _ in range(WORLDS):
        rows, raters, labels, _ = one_by_one(labeled(rng, skills, items=150)[1], 2)
        found += camps(rows, raters, labels, values=2) is not None
    assert found <= 9


@pytest.mark.slow
@pytest.mark.parametrize("careless", [1, 2])
def test_a_careless_annotator_and_fixed_lists_make_no_camps(careless):
    """Ten people rate five lists, four people a list: some never meet, and the careless meet some groups alone."""
    rng, found = np.random.default_rng(13), 0
    rows, raters = np.repeat(np.arange(140), 4), np.arange(560) % 10
    for _ in range(WORLDS // 2):
        seen = np.round(6 * rng.random(140)[rows] + rng.normal(size=560)).clip(0, 6).astype(int)
        labels = np.where(raters < careless, rng.integers(7, size=560), seen)
        found += camps(rows, raters, labels, values=7, ordered=True) is not None
    assert found <= 5, "before skills were read within each group: 13 of 50 with one"


@pytest.mark.slow
@pytest.mark.parametrize(("people", "camp"), [(5, 2), (10, 5)])
def test_people_who_go_by_another_truth_on_most_items_are_a_camp(people, camp):
    rng = np.random.default_rng(11)
    for _ in range(10):
        _, ours = labeled(rng, [0.9] * (people - camp), items=200)
        _, theirs = labeled(rng, [0.9] * camp, items=200)
        theirs[:60] = ours[:60, :1]
        rows, raters, labels, _ = one_by_one(np.hstack([ours, theirs]), 2)
        found = camps(rows, raters, labels, values=2)
        assert found is not None
        assert found.other == tuple(range(people - camp, people))


def test_items_of_one_group_make_no_camps():
    rows, raters, labels, _ = one_by_one(labeled(np.random.default_rng(12), [0.9] * 4, items=60)[1], 2)
    assert camps(rows, raters, labels, values=2, sample=Sample(clusters=np.zeros(60, dtype=int))) is None
