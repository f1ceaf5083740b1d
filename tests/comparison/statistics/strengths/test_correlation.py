"""Rank correlation of strengths with labels."""

import numpy as np
import pytest

from comparison.statistics.resampling.sample import Sample
from comparison.statistics.strengths.correlation import (
    BY_LUCK,
    of_rho,
    pairs,
    pearson,
    people_score,
    reference_score,
    spearman,
)
from tests.comparison.statistics.agreement.made import width


def test_strength_against_mean_degree():
    counts = np.array([[2, 0, 0], [0, 2, 0], [0, 1, 1], [0, 0, 2], [0, 0, 0]])
    scores = people_score(counts, ordered=True)
    assert scores[:4].tolist() == [1, 2, 2.5, 3]
    assert np.isnan(scores[4])
    assert people_score(counts, ordered=False)[:2].tolist() == [1, 0]
    found = spearman(np.array([-9.0, -1.0, 0.0, 5.0, 1.0]), scores)
    assert (found.value, found.n) == (1, 4)
    assert found.no_interval == BY_LUCK


def test_spearman_interval_of_bonett_and_wright():
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    found = spearman(x, x + rng.normal(size=200))
    assert found.value is not None
    assert found.high is not None
    error = np.sqrt((1 + found.value**2 / 2) / 197)
    assert np.arctanh(found.high) - np.arctanh(found.value) == pytest.approx(1.95996 * error, abs=1e-4)


def test_degenerate_strengths_are_said_in_words():
    assert "fewer than 4" in spearman(np.ones(3), np.ones(3)).undefined
    assert spearman(np.ones(9), np.arange(9.0)).undefined == "every item has the same score"
    assert spearman(np.arange(9.0), np.ones(9)).undefined == "every item has the same label"
    assert reference_score(np.array([0, 2, -1]), ordered=True)[:2].tolist() == [1, 3]


def test_items_of_a_group_are_worth_less():
    """Each item five times: the interval is about as wide as that of the items once, and is held in as many worlds."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=80)
    y = x + rng.normal(size=80)
    groups = Sample(clusters=np.repeat(np.arange(80), 5))
    once, fivefold = spearman(x, y), spearman(np.repeat(x, 5), np.repeat(y, 5), sample=groups)
    assert fivefold.value == pytest.approx(once.value)
    assert fivefold.n == 400
    assert width(fivefold) == pytest.approx(width(once), rel=0.1)
    assert "design effect 5" in fivefold.note


def test_items_of_one_group_have_no_interval():
    x = np.arange(9.0)
    found = spearman(x, x**2 % 7, sample=Sample(clusters=np.zeros(9, dtype=np.int64)))
    assert found.value is not None
    assert found.no_interval == "all items are in one group"


def test_where_each_item_is_its_own_group_nothing_changes():
    x, y = np.random.default_rng(2).normal(size=(2, 50))
    assert spearman(x, y, sample=Sample(clusters=np.arange(50))) == spearman(x, y)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e299])
def test_scores_of_any_size_have_a_correlation(scale):
    """Probabilities of whole sentences are so small that their squares are 0."""
    scores, labels = np.array([1.0, 2, 3, 4, 6, 5, 8, 7]), np.arange(8.0)
    found = pearson(pairs(scale * scores, labels))
    assert found.value == pytest.approx(np.corrcoef(scores, labels)[0, 1])
    assert found.low is not None


def test_a_correlation_that_rounding_leaves_below_1_is_1():
    rng = np.random.default_rng(3)
    for size in range(4, 60):
        ratings = rng.integers(3, size=size) / 3
        ratings[:2] = 0, 1
        for found in (spearman(ratings, 3 * ratings), pearson(pairs(ratings, 0.1 * ratings + 7)), of_rho(1 - 1e-15, 9)):
            assert (found.value, found.low) == (1.0, None), size
