"""However often one looks: the error over all looks, by simulation, beside that of tests made for one look."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaln
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from comparison.statistics.planning.stopping import (
    NEVER_APART,
    NOTHING_YET,
    AnytimeTest,
    always_valid,
    anytime_comparison,
)
from tests.comparison.statistics.agreement.made import ends

LOOKS = 1000


def evidence(one, other):
    """The mixture over all p against one half, by integration: an independent way to the same number."""
    return quad(lambda p: (2 * p) ** one * (2 * (1 - p)) ** other, 0, 1)[0]


@pytest.mark.parametrize(("one", "other"), [(0, 1), (3, 3), (12, 2), (30, 11)])
def test_the_evidence_is_the_mixture_of_likelihoods(one, other):
    truth = np.zeros(one + other, dtype=int)
    first = np.where(np.arange(one + other) < one, 0, 1)
    found = anytime_comparison(first, 1 - first, truth)
    assert (found.only_one, found.only_other) == (one, other)
    assert found.evidence == pytest.approx(evidence(one, other))


@pytest.mark.parametrize(("right", "n"), [(0, 7), (7, 7), (30, 41), (990, 1000)])
def test_the_ends_are_where_the_likelihood_is_a_twentieth_of_the_mixture(right, n):
    low, share, high = ends(always_valid(right, n))
    mixture = quad(lambda p: binom.pmf(right, n, p), 0, 1, points=[right / n])[0]
    for end in (low, high):
        if 0 < end < 1:
            assert binom.pmf(right, n, end) == pytest.approx(0.05 * mixture, rel=1e-4)
    assert low <= share <= high


def walks(rng, p, studies):
    return (rng.random((studies, LOOKS)) < p).cumsum(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.5, 0.8, 0.97])
def test_a_share_is_missed_at_most_once_in_twenty_over_all_looks(p):
    """A look after every item of 1,000: Wilson's interval, made for one look, is wrong at some look far more often."""
    n = np.arange(1, LOOKS + 1)
    right = walks(np.random.default_rng(1), p, 600)
    holds = {}
    missed = 0
    low, high = proportion_confint(right, n[None, :], method="wilson")
    fooled = ((p < low) | (p > high))[:, 20:].any(axis=1).mean()
    for row in right:
        for count, size in zip(row.tolist(), n.tolist(), strict=True):
            if (count, size) not in holds:
                found = always_valid(count, size)
                holds[count, size] = found.low <= p <= found.high
            if not holds[count, size]:
                missed += 1
                break
    assert missed / 600 <= 0.05
    assert fooled > 0.2


@pytest.mark.slow
def test_two_runs_alike_are_told_apart_at_most_once_in_twenty_over_all_looks():
    one = walks(np.random.default_rng(2), 0.5, 2000)
    other = np.arange(1, LOOKS + 1) - one
    log = betaln(1 + one, 1 + other) + (one + other) * np.log(2)
    told = (log >= np.log(20)).any(axis=1).mean()
    once = (2 * binom.cdf(np.minimum(one, other), one + other, 0.5) < 0.05).any(axis=1).mean()
    assert told <= 0.05
    assert once > 0.2, "looking often at a test for one look errs far more"


def test_two_runs_apart_are_told_so_in_time():
    assert not AnytimeTest(14, 6, evidence(14, 6)).apart
    assert AnytimeTest(140, 60, evidence(140, 60)).apart


def test_groups_count_once():
    truth = np.zeros(20, dtype=int)
    found = anytime_comparison(truth, np.ones(20, dtype=int), truth, np.arange(20) // 10)
    assert (found.only_one, found.only_other, found.apart) == (2, 0, False)


def test_nothing_to_compare_is_said():
    assert always_valid(0, 0).undefined == NOTHING_YET
    none, some = np.full(3, -1), np.zeros(3, dtype=int)
    assert anytime_comparison(none, some, some).p_words == f"undefined: {NOTHING_YET}"
    assert anytime_comparison(some, some, some).p_words == f"undefined: {NEVER_APART}"
