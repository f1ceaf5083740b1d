"""Rank correlation of strengths with labels."""

import numpy as np
import pytest

from comparison.statistics.strengths.correlation import people_score, reference_score, spearman


def test_strength_against_mean_degree():
    counts = np.array([[2, 0, 0], [0, 2, 0], [0, 1, 1], [0, 0, 2], [0, 0, 0]])
    scores = people_score(counts, ordered=True)
    assert scores[:4].tolist() == [1, 2, 2.5, 3]
    assert np.isnan(scores[4])
    assert people_score(counts, ordered=False)[:2].tolist() == [1, 0]
    found = spearman(np.array([-9.0, -1.0, 0.0, 5.0, 1.0]), scores)
    assert (found.value, found.n) == (1, 4)
    assert found.no_interval == "the two rankings are the same"


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
    assert spearman(np.ones(9), np.arange(9.0)).undefined == "every item has the same strength"
    assert spearman(np.arange(9.0), np.ones(9)).undefined == "every item has the same label"
    assert reference_score(np.array([0, 2, -1]), ordered=True)[:2].tolist() == [1, 3]
