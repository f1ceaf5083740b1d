"""The sum of leads with either sign, against all signs, the binomial and the normal distribution."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm

from comparison.statistics.chance import at_least


@pytest.mark.slow
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_it_is_the_share_of_all_signs(leads):
    every = [np.dot(signs, np.abs(leads)) for signs in itertools.product((-1, 1), repeat=len(leads))]
    assert at_least(np.array(leads)) == pytest.approx(np.mean(np.array(every) >= sum(leads)), abs=1e-12)


def test_leads_of_one_size_are_binomial_and_weights_say_how_often_each_is_there():
    found = at_least(np.array([3, -3]), weights=np.array([30, 12]))
    assert found == pytest.approx(binom.sf(29, 42, 0.5), rel=1e-12)
    assert at_least(np.array([1, -1, 2]), weights=np.array([4, 2, 3])) == pytest.approx(
        at_least(np.array([1] * 4 + [-1] * 2 + [2] * 3)), abs=1e-14
    )


def test_no_p_is_less_than_one_of_all_ways():
    assert at_least(np.array([5, 7, 9])) == pytest.approx(1 / 8, rel=1e-12)
    assert at_least(np.arange(1, 200)) >= 2.0**-199
    assert at_least(np.zeros(4, dtype=int)) == 1.0


def test_many_groups_are_normal():
    leads = np.random.default_rng(1).integers(-9, 11, 20_000)
    z = leads.sum() / np.sqrt((leads**2).sum())
    assert at_least(leads) == pytest.approx(norm.sf(z), rel=0.02)
