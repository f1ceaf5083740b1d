"""Ratings of the same item: pairs by distance counted by hand, and numbers that level and width of use leave alone."""

from itertools import combinations

import numpy as np
import pytest

from comparison.statistics.counts import count
from comparison.statistics.strengths.same_item import median_rating, pairs_by_step, standard_rating


def test_pairs_are_counted_as_one_by_one():
    rng = np.random.default_rng(1)
    given = rng.integers(7, size=(30, 5))
    counts = count(np.repeat(np.arange(30), 5), given.ravel(), size=30, values=7)
    for item, found in zip(given, pairs_by_step(counts).tolist(), strict=True):
        apart = [min(abs(int(one) - int(other)), 2) for one, other in combinations(item, 2)]
        assert found == [apart.count(0), apart.count(1), apart.count(2)]


@pytest.mark.parametrize("each", [4, 5])
def test_the_median_is_that_of_the_ratings(each):
    given = np.random.default_rng(2).integers(7, size=(30, each))
    counts = count(np.repeat(np.arange(30), each), given.ravel(), size=30, values=7)
    assert median_rating(counts).tolist() == np.median(given + 1, axis=1).tolist()


def test_z_scores_take_off_level_and_width_of_use():
    worth = np.random.default_rng(3).normal(size=20)
    rows, raters = np.repeat(np.arange(20), 3), np.tile(np.arange(3), 20)
    ratings = np.array([0.0, 2.0, -1.0])[raters] + np.array([1.0, 0.3, 2.0])[raters] * worth[rows]
    found = standard_rating(rows, raters, ratings, size=20)
    assert found == pytest.approx((worth - worth.mean()) / worth.std())
