"""The jackknife's variance is the known one of a mean; a unit that is there twice counts twice."""

import numpy as np
import pytest

from comparison.statistics.resampling.left_out import variance, with_t


def test_of_a_mean_it_is_the_known_one():
    numbers = np.random.default_rng(1).normal(size=50)
    without = (numbers.sum() - numbers) / 49
    assert variance(without) == pytest.approx(numbers.var(ddof=1) / 50)
    counts = np.arange(50) % 3
    assert variance(without, counts) == pytest.approx(variance(np.repeat(without, counts)))


def test_what_cannot_be_told_is_said_in_words():
    assert with_t(0.5, 0.1, units=1, n=9).no_interval == "fewer than two items"
    unknown = variance(np.array([0.5, np.nan, np.nan]))
    assert with_t(0.5, unknown, units=3, n=9, called="annotators").no_interval.startswith("no value without some")
    assert "the value is the same" in with_t(1.0, 0.0, units=30, n=9).no_interval
    assert with_t(0.98, 0.01, units=30, n=9).high == 1
