"""The difference of figures of different items: published examples, symmetry, coverage, and what has no interval."""

import numpy as np
import pytest

from comparison.statistics.accuracy.hits import share
from comparison.statistics.estimate import Estimate, difference


def ends(found: Estimate) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 10), 0.6075, 1.0)],
)
def test_it_is_newcombes_tenth_method_for_shares(one, other, low, high):
    """Newcombe 1998, table II."""
    found = difference(share(*one, reason=""), share(*other, reason=""))
    assert tuple(round(end, 4) for end in ends(found)) == (low, high)


def test_turned_around_it_changes_its_sign():
    one, other = share(31, 40, reason=""), share(12, 50, reason="")
    low, high = ends(difference(one, other))
    assert ends(difference(other, one)) == pytest.approx((-high, -low))


@pytest.mark.slow
def test_it_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(7)
    drawn = zip(rng.binomial(40, 0.8, 2000).tolist(), rng.binomial(60, 0.55, 2000).tolist(), strict=True)
    found = [ends(difference(share(one, 40, reason=""), share(other, 60, reason=""))) for one, other in drawn]
    assert 0.935 <= np.mean([low <= 0.25 <= high for low, high in found]) <= 0.97


def test_wider_figures_give_a_wider_difference():
    narrow, wide = Estimate(0.6, 0.55, 0.65, n=9), Estimate(0.6, 0.4, 0.8, n=9)
    other = Estimate(0.3, 0.25, 0.35, n=9)
    assert ends(difference(wide, other))[0] < ends(difference(narrow, other))[0]


def test_without_a_figure_or_an_interval_it_says_why():
    known = Estimate(0.5, 0.4, 0.6, n=9)
    assert difference(known, Estimate.none("no labels")).undefined == "one of the two is undefined"
    assert difference(known, Estimate(0.4, n=5)).remarks == "no interval: one of the two has no interval"
