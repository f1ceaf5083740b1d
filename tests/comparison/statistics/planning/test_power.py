"""Power from assumptions alone is what studies that are drawn by the same assumptions show."""

import numpy as np
import pytest
from scipy.stats import binom

from comparison.statistics.aggregation import majority
from comparison.statistics.planning.power import Assumed, enough, majority_of, power, probability, quantile

STUDIES = 4_000


def drawn(assumed: Assumed, items: int, labels: int) -> tuple[float, float]:
    """The shares of drawn studies in which the first is shown to beat chance, and the two to differ."""
    rng = np.random.default_rng(7)
    q, options = assumed.giving_true, assumed.options
    chances = np.full(options, (1 - q) / (options - 1))
    chances[0] = q
    counts = rng.multinomial(labels, chances, size=(STUDIES, items)).reshape(-1, options)
    truth = majority(counts).reshape(STUDIES, items)

    def answers(right: float):
        wrong = rng.integers(1, options, size=truth.shape)
        return np.where(rng.random(truth.shape) < right, 0, wrong)

    assert assumed.second is not None
    first, second = (((answers(p) == truth) & (truth >= 0)) for p in (assumed.first, assumed.second))
    known = (truth >= 0).sum(axis=1)
    above = binom.sf(first.sum(axis=1) - 1, known, assumed.chance) < 0.05
    one, other = (first & ~second).sum(axis=1), (second & ~first).sum(axis=1)
    apart = np.minimum(1, 2 * binom.cdf(np.minimum(one, other), one + other, 0.5)) < 0.05
    return float(above.mean()), float(apart.mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("assumed", "items", "labels"),
    [
        (Assumed(options=2, agreement=0.5, first=0.68, second=0.5), 60, 3),
        (Assumed(options=5, agreement=0.3, first=0.35, second=0.2), 80, 5),
    ],
)
def test_it_is_what_drawn_studies_show(assumed, items, labels):
    found = power(assumed, items=items, labels=labels)
    above, apart = drawn(assumed, items, labels)
    assert found.above == pytest.approx(above, abs=0.03)
    assert found.apart == pytest.approx(apart, abs=0.03)


@pytest.mark.parametrize(("options", "labels", "q"), [(2, 3, 0.9), (5, 5, 0.6), (3, 4, 0.7), (7, 20, 0.3)])
def test_the_majority_is_that_of_the_multinomial(options, labels, q):
    chances = np.full(options, (1 - q) / (options - 1))
    chances[0] = q
    found = majority(np.random.default_rng(3).multinomial(labels, chances, size=40_000))
    exact = majority_of(options, labels, q)
    assert exact.known == pytest.approx((found >= 0).mean(), abs=0.01)
    assert exact.right == pytest.approx((found[found >= 0] == 0).mean(), abs=0.01)


def test_one_label_an_item_makes_no_majority():
    found = power(Assumed(options=2, agreement=0.5, first=0.7, second=0.6), items=100, labels=1)
    assert (found.above, found.apart) == (None, None)


@pytest.mark.slow
def test_more_is_needed_for_less():
    far = Assumed(options=2, agreement=0.6, first=0.8, second=0.6)
    near = Assumed(options=2, agreement=0.6, first=0.8, second=0.75)
    few, many = (enough(one, labels=3, wanted=0.8, most=10_000) for one in (far, near))
    assert few is not None and many is not None
    assert few < many
    alike = Assumed(options=2, agreement=0.6, first=0.8, second=0.8)
    assert enough(alike, labels=3, wanted=0.8, most=2_000) is None


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.1, 1 / 3, 0.5, 0.77])
def test_the_binomial_distribution_is_scipys(p):
    trials = np.arange(1, 500)
    for level in (0.025, 0.95):
        assert (quantile(level, trials, p) == binom.ppf(level, trials, p)).all()
    for n in (1, 17, 20_000):
        counts = np.arange(n + 1)
        assert probability(counts, n, p) == pytest.approx(binom.pmf(counts, n, p), rel=1e-8, abs=1e-15)
