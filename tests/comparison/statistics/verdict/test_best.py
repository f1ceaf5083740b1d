"""The set that cannot be told from the best: by hand, by properties, and by how often it is right."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.statistics.verdict.best import LEVEL, DrawnSums, chances, confidence_set, ranks

# Drawn once for each of so many seeds: to draw takes ten times as long as all that is made of it.
SEEDS = 20


@cache
def drawn_items(n, draws, seed):
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=draws).astype(float)


def over_draws(hits, *, draws=1000, seed=0):
    """Shares of hits (items, runs), and the same over drawn items."""
    return hits.mean(axis=0), drawn_items(len(hits), draws, seed % SEEDS) @ hits / len(hits)


def plain_confidence_set(values, drawn):
    """The same set, written with loops from Hansen, Lunde and Nason's section 3.1.2, with losses."""
    left, p, top = list(range(len(values))), {}, 0.0
    while len(left) > 1:
        statistic, furthest, null = {}, 0.0, np.zeros(len(drawn))
        for i in left:
            for j in left:
                if i == j:
                    continue
                loss = -values[i] + values[j]
                losses = -drawn[:, i] + drawn[:, j]
                error = np.sqrt(np.mean((losses - losses.mean()) ** 2))
                statistic[i, j] = loss / error
                furthest = max(furthest, abs(loss / error))
                null = np.maximum(null, np.abs(losses - loss) / error)
        share = (1 + np.sum(null >= furthest - 1e-12)) / (1 + len(drawn))
        top = max(top, share)
        worst = max(left, key=lambda i: max(statistic[i, j] for j in left if j != i))
        p[worst] = top
        left.remove(worst)
    p[left[0]] = 1.0
    return [p[place] for place in range(len(values))]


def test_it_is_the_model_confidence_set():
    rng = np.random.default_rng(3)
    for shares in ((0.8, 0.7, 0.6, 0.6), (0.5, 0.5, 0.5), (0.9, 0.2)):
        values, drawn = over_draws((rng.random((80, len(shares))) < shares).astype(float))
        assert confidence_set(values, drawn).tolist() == pytest.approx(plain_confidence_set(values, drawn))


def test_one_run_alone_is_the_best():
    assert confidence_set(np.array([0.4]), np.full((10, 1), 0.4)).tolist() == [1.0]


def test_equal_runs_stay_and_one_that_is_always_behind_by_the_same_leaves():
    drawn = np.random.default_rng(1).normal(0.5, 0.1, (500, 1)) + np.array([0.0, 0.0, -0.1])
    p = confidence_set(np.array([0.5, 0.5, 0.4]), drawn)
    assert (p > LEVEL).tolist() == [True, True, False]


def test_few_items_are_coarse():
    """Two runs that differ on one item of five are not apart by it."""
    hits = np.array([[1, 1], [1, 1], [0, 0], [1, 0], [1, 1]], dtype=float)
    values, drawn = over_draws(hits)
    assert confidence_set(values, drawn, DrawnSums(step=1 / 5)).tolist() == [1.0, 1.0]


@pytest.mark.slow
@given(st.integers(0, 10_000), st.permutations([0, 1, 2, 3]))
def test_the_order_of_runs_does_not_matter(seed, order):
    rng = np.random.default_rng(seed)
    values, drawn = over_draws((rng.random((30, 4)) < (0.3, 0.5, 0.6, 0.7)).astype(float), draws=200)
    assert confidence_set(values, drawn)[order].tolist() == pytest.approx(
        confidence_set(values[order], drawn[:, order]).tolist()
    )


def test_chances_sum_to_one_and_ranks_hold_the_place():
    values, drawn = over_draws((np.random.default_rng(5).random((60, 3)) < (0.8, 0.75, 0.3)).astype(float))
    assert chances(drawn).sum() == pytest.approx(1.0)
    found = ranks(values, drawn)
    assert found[2] == (3, 3)
    for place, (low, high) in zip(np.argsort(np.argsort(-values)) + 1, found, strict=True):
        assert low <= place <= high


@pytest.mark.slow
@given(st.integers(0, 10_000))
def test_1_is_in_the_range_of_the_nearest_and_of_no_other(seed):
    rng = np.random.default_rng(seed)
    shares = rng.choice([0.3, 0.5, 0.55, 0.6, 0.8], 6)
    values, drawn = over_draws((rng.random((60, 6)) < shares).astype(float), draws=200)
    nearest = confidence_set(values, drawn, DrawnSums(step=1 / 60)) > LEVEL
    found = ranks(values, drawn, DrawnSums(step=1 / 60))
    assert [low == 1 for low, _ in found] == nearest.tolist()
    for value, (low, high) in zip(values, found, strict=True):
        assert low <= 1 + (values > value).sum()
        assert (values >= value).sum() <= high


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.7, 0.7, 0.7, 0.7, 0.7), (0.8, 0.8, 0.7, 0.6, 0.6)])
def test_ranges_hold_the_true_ranks_in_95_of_100_studies(shares):
    """Of 400 made studies, equals in all their places; ranges by percentiles of drawn ranks leave some out."""
    true = [1 + sum(other > share for other in shares) for share in shares]
    last = [sum(other >= share for other in shares) for share in shares]
    rng = np.random.default_rng(11)
    held = np.zeros(len(shares))
    for study in range(400):
        values, drawn = over_draws((rng.random((80, len(shares))) < shares).astype(float), draws=400, seed=study)
        found = ranks(values, drawn, DrawnSums(step=1 / 80))
        held += [low <= one and high >= end for (low, high), one, end in zip(found, true, last, strict=True)]
    assert (held / 400 >= 0.95).all()


@pytest.mark.slow
@pytest.mark.parametrize(("items", "share"), [(12, 0.7), (40, 0.7), (200, 0.5), (200, 0.9)])
def test_three_equal_runs_all_stay_in_95_of_100_studies(items, share):
    """Of 600 made studies. Without Edwards' half step it is 88 of 100 for 12 items."""
    rng = np.random.default_rng(items)
    kept = 0
    for study in range(600):
        values, drawn = over_draws((rng.random((items, 3)) < share).astype(float), seed=study)
        kept += bool((confidence_set(values, drawn, DrawnSums(step=1 / items)) > LEVEL).all())
    assert kept / 600 >= 0.95
