"""Scores beside ratings: cells hold every item once, and parts of the items have the means that they have."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from comparison.statistics.strengths.binned import ACROSS, UP, Scatter, scatter

RNG = np.random.default_rng(5)
RATINGS = RNG.integers(1, 6, size=400).astype(float)
SCORES = RATINGS + RNG.normal(scale=2.0, size=400)


def made(scores, ratings) -> Scatter:
    found = scatter(scores, ratings, ends=(1.0, 5.0))
    assert found is not None
    return found


def test_every_item_lies_in_one_cell():
    found = made(SCORES, RATINGS)
    assert sum(cell.items for cell in found.cells) == 400
    assert len(found.cells) <= ACROSS * UP
    assert {cell.rating for cell in found.cells} == {1.0, 2.0, 3.0, 4.0, 5.0}
    width = (found.high - found.low) / (ACROSS - 1)
    assert all(abs(SCORES - cell.score).min() <= width / 2 + 1e-9 for cell in found.cells)


def test_each_tenth_has_its_mean():
    found = made(SCORES, RATINGS)
    order = np.argsort(SCORES)
    for place, part in enumerate(np.array_split(order, 10)):
        tenth = found.tenths[place]
        assert tenth.rating.n == 40
        assert tenth.rating.value == pytest.approx(RATINGS[part].mean())
        assert tenth.score == pytest.approx(SCORES[part].mean())
        low, high = tenth.rating.low, tenth.rating.high
        assert low is not None and high is not None
        assert low < RATINGS[part].mean() < high


def test_rho_is_of_the_items_and_not_of_cells():
    found = made(SCORES, RATINGS)
    assert found.rho.value == pytest.approx(spearmanr(SCORES, RATINGS).statistic)


def test_an_item_without_one_of_the_two_is_left_out():
    scores = SCORES.copy()
    scores[:10] = np.nan
    assert sum(cell.items for cell in made(scores, RATINGS).cells) == 390


@pytest.mark.parametrize("scores", [np.full(400, 1.0), np.full(400, np.nan)])
def test_nothing_is_drawn_where_nothing_can_follow(scores):
    assert scatter(scores, RATINGS, ends=(1.0, 5.0)) is None


def test_few_items_have_no_parts():
    assert made(SCORES[:12], RATINGS[:12]).tenths == ()
