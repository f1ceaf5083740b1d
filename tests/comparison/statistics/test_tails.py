"""The same numbers as scipy.stats has them, ends and what is undefined included."""

import numpy as np
import pytest
import scipy as sp

from comparison.statistics import tails

FREEDOM = np.array([0, 1, 2, 3.7, 10, 29, 1e3, 1e7])[:, None]
FAR = np.array([-np.inf, -50, -3, -0.1, 0, 0.5, 2.3, 40, np.inf, np.nan])
TAIL = np.array([0, 1e-300, 1e-12, 0.001, 0.025, 0.5, 0.9, 1])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (tails.of_normal(FAR), sp.stats.norm.sf(FAR)),
        (tails.z_of(TAIL), sp.stats.norm.isf(TAIL)),
        (tails.of_t(FAR, FREEDOM), sp.stats.t.sf(FAR, FREEDOM)),
        (tails.t_of(TAIL, FREEDOM[1:]), sp.stats.t.isf(TAIL, FREEDOM[1:])),
    ],
)
def test_they_are_those_of_scipy(ours, theirs):
    assert np.array_equal(ours, theirs, equal_nan=True)
