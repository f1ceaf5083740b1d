"""The forecast against made crowds, of which it is known how many sittings were still to come."""

import numpy as np
import pytest

from comparison.statistics.planning.forecast import FEWEST, NONE_COUNTS, NONE_LEFT, SO_FEW, SO_SHORT, forecast

LENGTH = 20


def crowd(rng, sittings, *, excluded):
    """Sittings of some length each, a share of them by annotators who are excluded."""
    given = np.where(rng.random(sittings) < 0.15, rng.integers(1, LENGTH, sittings), LENGTH)
    return given, np.where(rng.random(sittings) < excluded, 0, given), rng.gamma(4.0, 2.0, sittings)


def ends(found):
    assert found.low is not None and found.high is not None
    return found.low, found.high


def still_needed(rng, missing, *, excluded):
    """Sittings, labels and hours until no labels are missing, one sitting after the other."""
    given, counted, minutes = crowd(rng, 40 * missing // LENGTH + 100, excluded=excluded)
    end = int(np.searchsorted(np.cumsum(counted), missing)) + 1
    return end, given[:end].sum(), minutes[:end].sum() / 60


@pytest.mark.slow
@pytest.mark.parametrize(("excluded", "missing", "so_far"), [(0.1, 600, 40), (0.3, 2000, 60), (0.2, 4000, 25)])
def test_intervals_hold_what_then_came_as_often_as_they_say(excluded, missing, so_far):
    """Of 200 made studies; 95 % intervals, of which a few of so few sittings are too narrow."""
    rng, held = np.random.default_rng(5), np.zeros(3)
    for _ in range(200):
        found = forecast(*crowd(rng, so_far, excluded=excluded), missing=missing, days=3.0)
        came = still_needed(rng, missing, excluded=excluded)
        for place, estimate in enumerate((found.sittings, found.labels, found.hours)):
            held[place] += estimate.low <= came[place] <= estimate.high
    assert (held / 200 > 0.88).all(), held
    # An interval that held everything would say nothing.
    assert (held / 200 < 1.0).any(), held


def test_the_middle_is_what_is_missing_by_what_a_sitting_yields():
    found = forecast(np.full(30, 10), np.repeat([10, 0], [20, 10]), np.full(30, 3.0), missing=100, days=6.0)
    assert (found.sittings.value, found.labels.value) == (15, 150)
    assert found.hours.value == pytest.approx(0.75)
    assert found.days.value == pytest.approx(3.0)
    assert found.sittings.n == 30 and found.sittings.unit == "sittings"
    low, high = ends(found.sittings)
    assert low < 15 < high


def test_sittings_that_are_all_alike_leave_no_doubt_about_their_number():
    found = forecast(np.full(20, 10), np.full(20, 10), np.full(20, 3.0), missing=95, days=1.0)
    assert (found.sittings.value, found.sittings.low, found.sittings.high) == (10, 10, 10)
    # When people come is another matter.
    low, high = ends(found.days)
    assert low < 0.5 < high


def test_cost_is_of_the_sittings():
    found = forecast(np.full(20, 10), np.repeat([10, 0], [15, 5]), np.full(20, 3.0), missing=100, days=1.0)
    cost = found.cost(2.5)
    assert (cost.value, *ends(cost)) == tuple(2.5 * one for one in (14, *ends(found.sittings)))


@pytest.mark.parametrize(
    ("sittings", "counted", "missing", "why"),
    [(FEWEST - 1, 10, 50, SO_FEW), (9, 0, 50, NONE_COUNTS), (9, 10, 0, NONE_LEFT), (0, 10, 50, SO_FEW)],
)
def test_where_too_little_is_known_it_says_so(sittings, counted, missing, why):
    given = np.full(sittings, 10)
    found = forecast(given, np.full(sittings, counted), np.ones(sittings), missing=missing, days=1.0)
    assert {one.undefined for one in (found.sittings, found.labels, found.hours, found.days, found.cost(1))} == {why}


def test_one_good_sitting_among_bad_ones_has_no_upper_end():
    found = forecast(np.full(6, 10), np.array([10, 0, 0, 0, 0, 0]), np.ones(6), missing=50, days=1.0)
    assert found.sittings.value == 30
    assert found.sittings.low is None and "no label that counts" in found.sittings.no_interval


def test_a_few_draws_without_any_label_that_counts_leave_every_interval_its_end():
    """In one of sixty-four draws of these six none counts."""
    found = forecast(np.full(6, 10), np.repeat([10, 0], 3), np.arange(1.0, 7.0), missing=50, days=1.0)
    for one in (found.sittings, found.labels, found.hours, found.days):
        low, high = ends(one)
        assert low < one.value < high


def test_an_hour_says_nothing_on_days():
    found = forecast(np.full(20, 10), np.full(20, 10), np.ones(20), missing=50, days=0.03)
    assert found.days.undefined == SO_SHORT
    assert found.sittings.value == 5
