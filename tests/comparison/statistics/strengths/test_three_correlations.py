"""Pearson's r and Kendall's τ-b: SciPy's values, intervals that hold the truth, split halves that foretell retests."""

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from comparison.statistics.resampling.sample import Sample
from comparison.statistics.strengths import correlation as correlation_module
from comparison.statistics.strengths.correlation import kendall, pairs, pearson
from comparison.statistics.strengths.split_half import split_half
from tests.comparison.statistics.agreement.made import width


def worlds():
    rng = np.random.default_rng(5)
    x = rng.normal(size=300)
    yield x, 0.5 * x + rng.normal(size=300)
    yield x, (x + rng.normal(size=300) > 0).astype(float)
    yield rng.integers(4, size=300).astype(float), rng.integers(3, size=300).astype(float)
    yield np.round(x, 1), -np.round(x + rng.normal(size=300), 1)


@pytest.mark.parametrize("world", list(worlds()))
def test_values_are_scipys(world):
    found = pairs(*world)
    assert kendall(found).value == pytest.approx(kendalltau(*world).statistic)
    assert pearson(found).value == pytest.approx(pearsonr(*world).statistic)


def test_of_normal_numbers_the_interval_is_about_fishers():
    x, y = next(worlds())
    expected = pearsonr(x, y).confidence_interval()
    found = pearson(pairs(x, y))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.02)
    assert found.low <= expected.low + 1e-9


def test_ways_of_counting_agree(monkeypatch):
    x, y = next(worlds())
    y = np.round(2 * y)
    few = kendall(pairs(x, y))
    monkeypatch.setattr(correlation_module, "FEW_NUMBERS", 1)
    every = kendall(pairs(x, y))
    assert (few.value, few.low, few.high) == pytest.approx((every.value, every.low, every.high))


@pytest.mark.slow
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("size", [10, 60])
def test_intervals_hold_the_true_figure(binary, size):
    """The true figures are those of a very large world."""
    rng = np.random.default_rng(11)

    def world(n):
        x = rng.normal(size=n)
        y = 0.6 * x + rng.normal(size=n)
        return x, (y > 0).astype(float) if binary else y

    large = world(200_000)
    true = {pearson: pearsonr(*large).statistic, kendall: kendalltau(*large).statistic}
    held = dict.fromkeys(true, 0)
    trials = 200
    for _ in range(trials):
        one = pairs(*world(size))
        for statistic in true:
            found = statistic(one)
            held[statistic] += found.low is None or found.low <= true[statistic] <= found.high
    assert all(count >= 0.91 * trials for count in held.values()), held


def test_groups_widen_the_interval():
    rng = np.random.default_rng(2)
    x, y = np.repeat(rng.normal(size=30), 5), np.repeat(rng.normal(size=30), 5)
    both = pairs(x, y)
    grouped = Sample(clusters=np.repeat(np.arange(30), 5))
    for statistic in (pearson, kendall):
        alone, together = statistic(both), statistic(both, sample=grouped)
        assert together.value == alone.value
        assert width(together) > 1.6 * width(alone)


def test_what_cannot_be_correlated_says_why():
    same = np.ones(9)
    assert pearson(pairs(same, np.arange(9.0), first="the number")).undefined == "the number is the same for every item"
    assert kendall(pairs(np.arange(3.0), np.arange(3.0))).undefined == "fewer than 4 items have both"
    assert pearson(pairs(np.arange(9.0), np.arange(9.0))).no_interval == "the two are perfectly correlated"


def test_split_halves_foretell_what_as_many_other_people_would_give():
    """Two panels of six people each: halves of one, stepped up, come out as the correlation of both panels' means."""
    rng = np.random.default_rng(4)
    items, people = 400, 6
    true = rng.normal(size=items)
    one, other = (true[:, None] + rng.normal(scale=1.5, size=(items, people)) for _ in range(2))
    _, found = split_half(np.repeat(np.arange(items), people), one.ravel())
    again = pearsonr(one.mean(axis=1), other.mean(axis=1)).statistic
    assert found.value == pytest.approx(again, abs=0.04)
    assert found.low < again < found.high
    assert found.n == items


def test_split_halves_need_two_labels():
    for found in split_half(np.arange(9), np.arange(9.0)):
        assert found.undefined == "fewer than 4 items have two labels"


@pytest.mark.slow
def test_split_halves_of_very_many_items_take_fewer_deals_and_come_out_alike():
    rng = np.random.default_rng(5)
    items, people = 40_000, 4
    one, again = (rng.normal(size=(items, 1)) + rng.normal(size=(items, people)) for _ in range(2))
    found, other = (split_half(np.repeat(np.arange(items), people), given.ravel()) for given in (one, again))
    assert "mean of 25 random splits of 160,000 labels" in found[0].note
    for ours, theirs in zip(found, other, strict=True):
        assert ours.value == pytest.approx(theirs.value, abs=0.01)
    # Of a normal mean of four, the labels' own variance is a quarter of the items'.
    assert found[1].value == pytest.approx(0.8, abs=0.01)
