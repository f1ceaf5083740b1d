"""Looks while labels come in: how often noise passes at any of them, and then at the end."""

import numpy as np
import pytest
from scipy.stats import norm

from comparison.statistics.chance import at_a_look, counts_for


@pytest.mark.slow
@pytest.mark.parametrize("looks", [10, 200])
def test_the_error_of_all_looks_together_is_that_of_the_last(looks):
    """20,000 random walks of noise, looked at often: of one test at its level .05 it is .14 to .3."""
    steps = np.random.default_rng(looks).normal(size=(20_000, looks))
    shares = np.arange(1, looks + 1) / looks
    places = steps.cumsum(axis=1) / np.sqrt(np.arange(1, looks + 1))
    counted = places * np.array([counts_for(share) for share in shares])
    passed = (counted > norm.isf(0.05)).any(axis=1)
    assert passed.mean() == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 20_000) ** 0.5)
    assert (places > norm.isf(0.05)).any(axis=1).mean() > 0.14


def test_what_is_certain_stays_so_and_all_labels_leave_p_as_it_is():
    assert at_a_look(0.03, 1.0) == 0.03
    assert at_a_look(0.0, 0.5) == 0.0 and at_a_look(1.0, 0.5) == 1.0
    assert at_a_look(1e-6, 0.9) < 0.05 < at_a_look(0.01, 0.9)
