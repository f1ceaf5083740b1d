"""Bets on groups: the level holds, exactly, in worlds whose every outcome is counted."""

import itertools

import numpy as np
import pytest

from comparison.statistics.chance import of_groups

# Items of each group.
SIZES = ((1, 1, 1, 1, 1, 1, 1), (10,) * 8, (1, 2, 3, 40, 2, 1), (100, 2, 2, 2, 2, 2, 2))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("options", [2, 5])
@pytest.mark.parametrize("side", [1, -1])
def test_p_is_no_smaller_than_said_where_a_group_is_right_or_wrong_as_one(sizes, options, side):
    """All outcomes with their probabilities: P(p ≤ level) ≤ level, for every level that there is."""
    share, clusters = 1 / options, np.repeat(np.arange(len(sizes)), sizes)
    least = np.full(len(clusters), -share if side == 1 else share - 1)
    spread = np.full(len(clusters), np.sqrt(share * (1 - share)))
    found = []
    for right in itertools.product((0, 1), repeat=len(sizes)):
        gains = side * (np.array(right)[clusters] - share)
        found.append((of_groups(gains, least, spread, clusters), np.prod(np.where(right, share, 1 - share))))
    ps, probabilities = map(np.array, zip(*found, strict=True))
    assert probabilities.sum() == pytest.approx(1)
    for level in np.unique(ps[ps < 1]):
        assert probabilities[ps <= level].sum() <= level
    assert ps.min() < 0.4, "something was bet"


def test_the_order_of_groups_and_their_names_say_nothing():
    rng = np.random.default_rng(2)
    clusters = rng.integers(0, 12, 60)
    gains = np.where(rng.random(60) < 0.8, 0.5, -0.5)
    least, spread = np.full(60, -0.5), np.full(60, 0.5)
    order = rng.permutation(60)
    assert of_groups(gains, least, spread, clusters) == pytest.approx(
        of_groups(gains[order], least[order], spread[order], 90 - clusters[order])
    )


def test_one_group_says_nothing():
    assert of_groups(np.ones(9), -np.ones(9), np.ones(9), np.zeros(9, dtype=int)) == 1.0


@pytest.mark.slow
def test_it_finds_what_is_there():
    """40 groups of five: right on .35 where .20 is chance. The t test finds it in .98 of such worlds, this in .93."""
    rng, found = np.random.default_rng(3), 0
    clusters, spread = np.repeat(np.arange(40), 5), np.full(200, 0.4)
    for _ in range(200):
        seen = np.sqrt(0.2) * rng.normal(size=40)[clusters] + np.sqrt(0.8) * rng.normal(size=200)
        found += of_groups((seen < -0.385) - 0.2, np.full(200, -0.2), spread, clusters) <= 0.05
    assert found / 200 > 0.8
