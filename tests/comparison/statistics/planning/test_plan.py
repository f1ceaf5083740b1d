"""Planning held to studies that are really drawn, to the closed forms, and to one's own sense."""

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.planning.plan import (
    NO_DECISIONS,
    ONE_LABEL,
    ONE_RUN,
    Design,
    Here,
    _p_above,
    _p_apart,
    drawn_studies,
    planned,
)
from tests.comparison.statistics.agreement.made import value, width


def people(rng, items, labels=5):
    return rng.multinomial(labels, rng.dirichlet([0.6, 0.6], items))


def made(counts, first=None, second=None, groups=None):
    own = np.arange(len(counts)) if groups is None else groups
    return Here(counts=counts, level="nominal", groups=own, first=first, second=second)


def mostly(rng, truth, right):
    return np.where(rng.random(len(truth)) < right, truth, 1 - truth)


@pytest.mark.slow
def test_the_width_for_this_very_design_is_that_of_the_interval_it_has():
    rng = np.random.default_rng(1)
    counts = people(rng, 400)
    first = mostly(rng, majority(counts) == 1, 0.8).astype(int)
    found = planned(made(counts, first), Design(400, 5))
    own, alpha = accuracy(first, majority(counts)).accuracy, krippendorff_alpha(counts, level="nominal")
    assert found.accuracy.value == pytest.approx(own.value, abs=0.04)
    assert width(found.accuracy) == pytest.approx(width(own), rel=0.15)
    assert width(found.alpha) == pytest.approx(width(alpha), rel=0.2)
    assert found.alpha.value == pytest.approx(alpha.value, abs=0.03)


@pytest.mark.slow
def test_four_times_the_items_halve_the_width():
    rng = np.random.default_rng(2)
    counts = people(rng, 300)
    here = made(counts, mostly(rng, majority(counts) == 1, 0.8).astype(int))
    small, large = (planned(here, Design(items, 5)).accuracy for items in (200, 800))
    assert width(small) / width(large) == pytest.approx(2, rel=0.15)


@pytest.mark.slow
def test_power_grows_with_items_and_is_the_error_where_two_runs_are_alike():
    rng = np.random.default_rng(3)
    counts = people(rng, 2000)
    truth = (majority(counts) == 1).astype(int)
    better, worse, alike = mostly(rng, truth, 0.85), mostly(rng, truth, 0.8), mostly(rng, truth, 0.8)
    power = [value(planned(made(counts, better, worse), Design(items, 5), studies=200).apart) for items in (50, 400)]
    assert power[0] < power[1]
    found = planned(made(counts, worse, np.where(rng.random(2000) < 0.5, worse, alike)), Design(100, 5), studies=300)
    assert value(found.apart) < 0.15


@pytest.mark.slow
def test_power_against_chance_is_the_binomial_tests():
    """Where people always agree, a run with .60 right in a two-way task has the power that the tables give."""
    truth = np.repeat([0, 1], 500)
    first = np.where(np.arange(1000) % 10 < 6, truth, 1 - truth)
    found = planned(made(5 * np.eye(2, dtype=int)[truth], first), Design(100, 5), studies=400)
    needed = next(right for right in range(101) if binom.sf(right - 1, 100, 0.5) < 0.05)
    assert found.above_chance.value == pytest.approx(float(binom.sf(needed - 1, 100, 0.6)), abs=0.06)


def test_two_runs_are_told_apart_by_mcnemars_exact_test():
    rng = np.random.default_rng(4)
    for _ in range(20):
        difference = rng.integers(-1, 2, size=40).astype(float)
        one, other = int((difference > 0).sum()), int((difference < 0).sum())
        expected = mcnemar([[0, one], [other, 0]], exact=True).pvalue
        assert _p_apart(difference, None) == pytest.approx(min(1.0, expected))


@pytest.mark.slow
def test_items_in_groups_tell_less_than_as_many_alone():
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1], 300)
    groups = np.arange(600) // 10
    first = np.where((rng.random(60) < 0.65)[groups], truth, 1 - truth)
    alone = planned(made(3 * np.eye(2, dtype=int)[truth], first), Design(200, 3), studies=200)
    grouped = planned(made(3 * np.eye(2, dtype=int)[truth], first, groups=groups), Design(200, 3), studies=200)
    assert value(grouped.above_chance) < value(alone.above_chance) - 0.2
    widths = [width(found.accuracy) for found in (grouped, alone)]
    assert widths[0] > 2 * widths[1]


@pytest.mark.slow
def test_the_grouped_tests_err_as_rarely_as_they_say():
    rng = np.random.default_rng(6)
    groups = np.arange(300) // 10
    found = []
    for _ in range(2000):
        leaning = rng.choice([-1.0, 1.0], 30)[groups]
        found.append((_p_apart(leaning, groups), _p_above((leaning + 1) / 2, 0.5, groups)))
    rates = (np.array(found) < 0.05).mean(axis=0)
    assert (rates < 0.065).all()
    assert (rates > 0.03).all()


def test_groups_are_drawn_whole_until_the_study_is_full():
    groups = np.array([0, 0, 0, 1, 2, 2])
    for drawn in drawn_studies(np.full((6, 2), 0.5), groups, Design(20, 2), studies=50):
        assert len(drawn.rows) == 20
        assert (drawn.counts.sum(axis=1) == 2).all()
        runs = np.split(drawn.rows, np.flatnonzero(np.diff(drawn.groups)) + 1)
        assert {tuple(run) for run in runs[:-1]} <= {(0, 1, 2), (3,), (4, 5)}


def test_what_cannot_be_planned_is_said():
    counts = np.tile([2, 1], (30, 1))
    found = planned(made(counts), Design(30, 1), studies=100)
    assert (found.accuracy.undefined, found.alpha.undefined) == (NO_DECISIONS, ONE_LABEL)
    assert (found.apart.undefined, found.above_chance.undefined) == (ONE_RUN, NO_DECISIONS)
    lone = planned(made(counts, np.zeros(30, dtype=int)), Design(30, 1), studies=100)
    assert lone.accuracy.undefined == lone.above_chance.undefined == ONE_LABEL
