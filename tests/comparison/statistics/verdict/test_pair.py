"""Two runs by a study's measure: the same figures as each alone, and the difference of the same draws."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import difference
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.measure import measure_of
from comparison.statistics.verdict.pair import two, two_ranked
from tests.comparison.statistics.agreement.made import width


def made(items: int = 200, *, seed: int = 1):
    """Five degrees; the first run is a degree off on a tenth of the items, the second on half."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(5, size=items)
    runs = [np.where(rng.random(items) < share, np.abs(truth - 1), truth) for share in (0.1, 0.5)]
    return runs[0], runs[1], truth


def number(found: Estimate) -> float:
    assert found.value is not None
    return found.value


def by(key: str):
    return measure_of(key, ordered=True)


def test_accuracy_is_that_of_every_page():
    one, other, truth = made()
    found = two(one, other, truth, by=by("accuracy"), values=5)
    assert found.one == accuracy(one, truth).accuracy
    assert found.difference == difference(one, other, truth)
    assert found.leads == 1


@pytest.mark.parametrize(("key", "sign"), [("accuracy", 1), ("quadratic_kappa", 1), ("distance", -1)])
def test_the_difference_is_that_of_the_figures_and_turns_with_them(key, sign):
    one, other, truth = made()
    found, turned = (two(*pair, truth, by=by(key), values=5) for pair in ((one, other), (other, one)))
    assert number(found.difference) == pytest.approx(number(found.one) - number(found.other))
    assert number(turned.difference) == pytest.approx(-number(found.difference))
    assert np.sign(number(found.difference)) == sign
    assert (found.leads, turned.leads) == (1, -1)


@pytest.mark.parametrize("key", ["accuracy", "quadratic_kappa", "distance"])
def test_only_items_that_both_label_count_and_the_rest_is_named(key):
    one, other, truth = made()
    less, unknown = one.copy(), truth.copy()
    less[:30], unknown[190:] = MISSING, MISSING
    found = two(less, other, unknown, by=by(key), values=5)
    assert (found.one.n, found.other.n, found.difference.n, found.left_out) == (160, 160, 160, 30)
    assert found.other == two(one[30:190], other[30:190], truth[30:190], by=by(key), values=5).other


@pytest.mark.parametrize("key", ["accuracy", "quadratic_kappa", "distance"])
def test_items_of_groups_are_drawn_together(key):
    one, other, truth = (np.repeat(codes, 4) for codes in made(50))
    groups = Sample(clusters=np.repeat(np.arange(50), 4))
    wide, narrow = (two(one, other, truth, by=by(key), values=5, sample=sample) for sample in (groups, ITEMS))
    assert wide.difference.value == pytest.approx(narrow.difference.value)
    assert width(wide.difference) > 1.5 * width(narrow.difference)


def test_equal_runs_lead_by_nothing():
    one, _, truth = made()
    found = two(one, one, truth, by=by("quadratic_kappa"), values=5)
    assert (found.difference.value, found.leads) == (0.0, 0)


def test_nothing_shared_is_said():
    none = np.full(3, MISSING)
    found = two(none, np.zeros(3, dtype=int), np.zeros(3, dtype=int), by=by("distance"), values=5)
    assert found.difference.undefined == "no item with a target is labeled by both runs"
    assert found.left_out == 3


def rated(items: int, r: float, *, seed: int = 3):
    """Ratings from 1 to 7, and two runs of one worth that share most of what they get wrong."""
    rng = np.random.default_rng(seed)
    truth, shared, *own = rng.normal(size=(4, items))
    wrong = [0.8 * shared + 0.6 * one for one in own]
    ratings = np.clip(np.round(1.5 * truth + 4), 1, 7)
    return ratings, *(r * truth + (1 - r**2) ** 0.5 * one for one in wrong)


def test_two_rhos_are_those_of_scipy_and_their_difference_is_of_the_same_items():
    ratings, one, other = rated(200, 0.6)
    found = two_ranked((one, ratings), (other, ratings))
    first, second = (spearmanr(scores, ratings).statistic for scores in (one, other))
    assert number(found.one) == pytest.approx(first)
    assert number(found.difference) == pytest.approx(first - second)
    assert found.difference.n == 200
    # Runs that go wrong together differ by less than two of independent items would.
    assert width(found.difference) < 0.7 * np.hypot(width(found.one), width(found.other))


@pytest.mark.slow
def test_equal_rhos_are_told_apart_in_one_world_of_twenty():
    told = []
    for seed in range(150):
        ratings, one, other = rated(76, 0.5, seed=seed)
        told.append(two_ranked((one, ratings), (other, ratings)).leads != 0)
    assert np.mean(told) < 0.1


def test_items_of_one_group_widen_the_difference_of_two_rhos():
    ratings, one, other = (np.repeat(column, 10) for column in rated(12, 0.6))
    alone = two_ranked((one, ratings), (other, ratings)).difference
    together = two_ranked((one, ratings), (other, ratings), sample=Sample(clusters=np.repeat(np.arange(12), 10)))
    assert width(together.difference) > 2 * width(alone)


def test_items_without_a_score_of_both_are_left_out_of_two_rhos():
    ratings, one, other = rated(40, 0.6)
    one[:3], other[3:5], ratings[5:7] = np.nan, np.nan, np.nan
    found = two_ranked((one, ratings), (other, ratings))
    assert (found.one.n, found.left_out) == (33, 5)
    nothing = two_ranked((np.full(40, np.nan), ratings), (other, ratings))
    assert nothing.difference.undefined == "fewer than 4 items have both a score and a label"
