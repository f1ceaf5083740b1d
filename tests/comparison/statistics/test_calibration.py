"""The calibration curve and its error, against loops, and against worlds in which the truth is known."""

import numpy as np
import pytest

from comparison.statistics.calibration import calibration
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.agreement.made import ends, width


def world(seed, *, items, sure=1.0, values=3):
    """Labels that come about by `true` probabilities, and a run that gives these, to the power of `sure`."""
    rng = np.random.default_rng(seed)
    true = rng.dirichlet(np.ones(values), size=items)
    truth = (true.cumsum(axis=1) > rng.random(items)[:, None]).argmax(axis=1)
    given = true**sure
    return given / given.sum(axis=1, keepdims=True), truth


def by_loop(given, truth, bins=10):
    """Guo et al.'s equation 3, item by item, with bins of equal numbers of items."""
    order = np.argsort(given.max(axis=1), kind="stable")
    total = 0.0
    for part in np.array_split(order, bins):
        confidence = np.mean([given[item].max() for item in part])
        right = np.mean([given[item].argmax() == truth[item] for item in part])
        total += len(part) / len(order) * abs(confidence - right)
    return total


@pytest.mark.parametrize("sure", [1.0, 4.0, 0.3])
def test_the_error_is_that_of_a_loop(sure):
    given, truth = world(1, items=400, sure=sure)
    found = calibration(given, truth)
    assert found.ece.value == pytest.approx(by_loop(given, truth), abs=1e-12)
    assert [one.accuracy.n for one in found.bins] == [40] * 10
    assert all(one.low <= one.confidence <= one.high for one in found.bins)
    right = (given.argmax(axis=1) == truth).mean()
    assert found.lead.value == pytest.approx(given.max(axis=1).mean() - right)


@pytest.mark.slow
def test_a_run_that_is_too_sure_leads_and_one_that_is_not_sure_enough_lags():
    least, _, _ = ends(calibration(*world(2, items=2000, sure=4)).lead)
    _, _, most = ends(calibration(*world(2, items=2000, sure=0.3)).lead)
    assert least > 0.1
    assert most < -0.05


@pytest.mark.slow
def test_what_chance_gives_is_what_true_probabilities_give_on_average():
    found = [calibration(*world(seed, items=300)) for seed in range(60)]
    mean = np.mean([one.ece.value for one in found])
    assert np.mean([one.by_chance for one in found]) == pytest.approx(mean, rel=0.08)


@pytest.mark.slow
@pytest.mark.parametrize(("sure", "least"), [(1.0, 0.93), (1.2, 0.85), (2.0, 0.92), (4.0, 0.92)])
def test_intervals_hold_the_error_of_the_bins(sure, least):
    """The error that as many bins have in a very large sample; a run whose probabilities are true has none."""
    whole = by_loop(*world(99, items=400_000, sure=sure)) if sure != 1 else 0.0
    found = [ends(calibration(*world(seed, items=500, sure=sure)).ece) for seed in range(200)]
    held = np.mean([low <= whole <= high for low, _, high in found])
    assert held >= least, held


def test_equal_probabilities_are_in_one_bin_and_empty_bins_are_left_out():
    given = np.vstack([np.tile([0.9, 0.1], (70, 1)), np.tile([0.6, 0.4], (30, 1))])
    found = calibration(given, np.zeros(100, dtype=int))
    assert [(one.low, one.high, one.accuracy.n) for one in found.bins] == [(0.6, 0.6, 30), (0.9, 0.9, 70)]
    assert found.ece.value == pytest.approx(0.7 * 0.1 + 0.3 * 0.4)


def test_ties_unlabeled_items_and_items_without_probabilities_are_left_out():
    given, truth = world(3, items=200)
    given[0], given[1], truth[2] = 1 / 3, np.nan, MISSING
    assert calibration(given, truth) == calibration(given[3:], truth[3:])


def test_too_few_items_are_said():
    found = calibration(*world(4, items=49))
    assert found.ece.undefined == "ten bins need 50 items, and 49 have a probability and a label"
    assert (found.by_chance, found.bins) == (None, ())


def test_patterns_with_weights_give_the_same_figures_as_their_items():
    rng = np.random.default_rng(5)
    kinds = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.05, 0.05, 0.9]])
    place, truth = rng.integers(4, size=300), rng.integers(3, size=300)
    pairs, times = np.unique(np.column_stack([place, truth]), axis=0, return_counts=True)
    plain = calibration(kinds[place], truth)
    patterns = calibration(kinds[pairs[:, 0]], pairs[:, 1], sample=Sample(weights=times))
    assert patterns.ece.value == pytest.approx(plain.ece.value, abs=1e-12)
    assert (patterns.ece.low, patterns.ece.high) == pytest.approx((plain.ece.low, plain.ece.high), abs=1e-12)
    assert [one.accuracy for one in patterns.bins] == [one.accuracy for one in plain.bins]


def test_items_that_stand_in_fours_have_a_wider_interval():
    given, truth = (np.repeat(one, 4, axis=0) for one in world(6, items=200, sure=4))
    alone = calibration(given, truth).ece
    tied = calibration(given, truth, sample=Sample(clusters=np.arange(800) // 4)).ece
    assert tied.value == alone.value
    assert width(tied) > 1.4 * width(alone)
