"""Power of studies of ratings: against simulation, and as it must rise and fall."""

import numpy as np
import pytest
import scipy as sp

from comparison.statistics.planning.power import enough, reaching
from comparison.statistics.planning.rating_power import AssumedRatings


def assumed(**given):
    return AssumedRatings(**{"agreement": 0.3, "first": 0.4, "second": None} | given)


def test_more_items_labels_reliability_or_difference_show_more():
    for less, more in (
        (reaching(assumed(), 40, 3), reaching(assumed(), 80, 3)),
        (reaching(assumed(), 40, 3), reaching(assumed(), 40, 9)),
        (reaching(assumed(), 40, 3), reaching(assumed(agreement=0.8), 40, 3)),
        (reaching(assumed(second=0.3), 200, 3), reaching(assumed(second=0.1), 200, 3)),
        (reaching(assumed(difference=0.3), 40, 3), reaching(assumed(difference=0.6), 40, 3)),
    ):
        assert less is not None and more is not None and less < more
    assert reaching(assumed(), 4, 3) is None
    assert reaching(assumed(first=0.0), 100, 3) == pytest.approx(0.05)
    assert reaching(assumed(second=0.4), 100, 3) == pytest.approx(0.05)
    # Differences too large for scipy's far tail.
    large = [reaching(assumed(difference=one, agreement=1), 100, 3) for one in (2.0, -2.0, 2.5)]
    assert large == pytest.approx([1, 1, 1])
    few, many = (enough(assumed(first=one), labels=5, wanted=0.8, most=10_000) for one in (0.6, 0.3))
    assert few is not None and many is not None and few < many


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), [(0.7, 0.3), (-0.1, -0.4)])
def test_power_is_what_simulated_studies_show(better, worse):
    """500 studies of 60 items with 5 ratings each: true ratings, labels, and two models that follow the true ones, or
    go against them.
    """
    plan, items, labels, studies = assumed(first=better, second=worse, agreement=0.4), 60, 5, 500
    rng = np.random.default_rng(7)
    true = rng.standard_normal((studies, items))
    means = true + rng.standard_normal((studies, items)) * np.sqrt((1 / 0.4 - 1) / labels)
    runs = [rho * true + np.sqrt(1 - rho**2) * rng.standard_normal((studies, items)) for rho in (better, worse)]
    weak = [sp.stats.spearmanr(one, other).pvalue < 0.05 for one, other in zip(runs[1], means, strict=True)]
    expected = assumed(first=worse, agreement=0.4).power(items=items, labels=labels).above
    assert np.mean(weak) == pytest.approx(expected, abs=0.06)
    apart = []
    for one, other, rated in zip(*runs, means, strict=True):
        first, second, beside = (
            sp.stats.pearsonr(*pair).statistic for pair in ((one, rated), (other, rated), (one, other))
        )
        square = (first**2 + second**2) / 2
        factor = min((1 - beside) / (2 * (1 - square)), 1)
        spread = 2 * (1 - beside) * (1 - factor * square) / (1 - square)
        apart.append(abs(np.arctanh(first) - np.arctanh(second)) * np.sqrt((items - 3) / spread) > 1.96)
    assert np.mean(apart) == pytest.approx(plan.power(items=items, labels=labels).apart, abs=0.06)
    halves = np.where(np.arange(items) % 2, 0.6, 0.0)
    shown = [sp.stats.ttest_ind(*(one[halves == which] for which in (0.6, 0))).pvalue < 0.05 for one in means + halves]
    expected = assumed(difference=0.6, agreement=0.4).power(items=items, labels=labels).above
    assert np.mean(shown) == pytest.approx(expected, abs=0.06)
