"""Exact tests, against libraries and against enumeration of all that could have happened."""

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from comparison.statistics.chance import holm
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.measure import measure_of
from comparison.statistics.verdict.odds import (
    Constant,
    against_chance,
    below_chance,
    best_constant,
    chance,
    constant_is_nearer,
    dealt_out,
)
from tests.comparison.known import known

HITS, DISTANCE, KAPPA = (measure_of(key, ordered=True) for key in ("accuracy", "distance", "quadratic_kappa"))


@pytest.fixture
def codes():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 90)
    return np.where(rng.random(90) < 0.4, truth, rng.integers(0, 3, 90)), truth


def test_hits_are_held_against_the_binomial(codes):
    decided, truth = codes
    own = against_chance(HITS, decided, truth, 3, ITEMS)
    expected = binomtest(int((decided == truth).sum()), 90, 1 / 3, alternative="greater").pvalue
    assert own == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("measure", [HITS, DISTANCE])
@pytest.mark.parametrize("seed", range(3))
def test_dealt_out_is_the_permutation_test(measure, seed):
    rng = np.random.default_rng(seed)
    truth = rng.choice(5, 60, p=[0.1, 0.1, 0.1, 0.2, 0.5])
    decided = np.where(rng.random(60) < 0.1 * seed, truth, rng.permutation(truth))
    gain = {HITS: lambda said: (said == truth).sum(), DISTANCE: lambda said: -np.abs(said - truth).sum()}[measure]
    others = [gain(rng.permutation(decided)) for _ in range(20_000)]
    expected = np.mean(np.array(others) >= gain(decided))
    assert dealt_out(measure, decided, truth, 5, ITEMS) == pytest.approx(expected, abs=0.02)
    twice = Sample(weights=np.full(30, 2))
    weighted = dealt_out(measure, decided[:30], truth[:30], 5, twice)
    plain = dealt_out(measure, np.repeat(decided[:30], 2), np.repeat(truth[:30], 2), 5, ITEMS)
    assert weighted == pytest.approx(plain)


def test_labels_that_know_only_how_common_each_is_are_better_than_chance_but_not_than_dealt_out():
    rng = np.random.default_rng(2)
    truth = rng.choice(5, 200, p=[0.1, 0.1, 0.1, 0.2, 0.5])
    decided = rng.permutation(truth)
    assert against_chance(HITS, decided, truth, 5, ITEMS) < 0.001
    assert dealt_out(HITS, decided, truth, 5, ITEMS) > 0.05


def test_the_constant_is_nearer_by_mcnemar(codes):
    decided, truth = codes
    constant, wrong = known(best_constant(HITS, truth, 3, ITEMS)), (decided + 1) % 3
    right, by_constant = wrong == truth, truth == constant.code
    table = [[0, int((right & ~by_constant).sum())], [int((~right & by_constant).sum()), 0]]
    own = constant_is_nearer(HITS, constant, wrong, truth, 3, ITEMS)
    # One-sided: half of the two-sided one where the constant is ahead. It was chosen out of three.
    assert table[0][1] < table[1][0]
    assert own == pytest.approx(3 * mcnemar(table, exact=True).pvalue / 2, rel=1e-12)


def test_distances_have_the_distribution_of_all_answers():
    truth, decided = np.array([0, 1, 3, 2]), np.array([0, 2, 3, 1])
    reached = np.abs(decided - truth).sum()
    every = [np.abs(np.array(answers) - truth).sum() for answers in itertools.product(range(4), repeat=4)]
    own = against_chance(DISTANCE, decided, truth, 4, ITEMS)
    assert own == pytest.approx(np.mean(np.array(every) <= reached), rel=1e-9)
    assert chance(DISTANCE, truth, 4, ITEMS) == pytest.approx(np.mean(every) / 4)


def test_distances_to_a_constant_have_the_distribution_of_all_signs():
    truth, decided = np.array([0, 1, 3, 2, 3]), np.array([0, 1, 3, 1, 3])
    constant = Constant(2, 0.0, beats_chance=False)
    gains = np.abs(decided - truth) - np.abs(2 - truth)
    every = [np.dot(signs, np.abs(gains)) for signs in itertools.product((-1, 1), repeat=5)]
    own = constant_is_nearer(DISTANCE, constant, decided, truth, 4, ITEMS)
    assert own == pytest.approx(min(1.0, 4 * np.mean(np.array(every) >= gains.sum())), rel=1e-9)
    own = constant_is_nearer(DISTANCE, constant, 3 - truth, truth, 4, ITEMS)
    gains = np.abs(3 - 2 * truth) - np.abs(2 - truth)
    every = [np.dot(signs, np.abs(gains)) for signs in itertools.product((-1, 1), repeat=5)]
    assert own == pytest.approx(min(1.0, 4 * np.mean(np.array(every) >= gains.sum())), rel=1e-9)


@pytest.mark.slow
def test_kappa_is_held_near_all_permutations():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 4, 40)
    decided = np.where(rng.random(40) < 0.3, truth, rng.integers(0, 4, 40))
    permuted = [np.dot(rng.permutation(decided), truth) for _ in range(20_000)]
    expected = np.mean(np.array(permuted) >= np.dot(decided, truth))
    assert against_chance(KAPPA, decided, truth, 4, ITEMS) == pytest.approx(expected, abs=0.01)
    assert best_constant(KAPPA, truth, 4, ITEMS) is None


@pytest.mark.parametrize("by", [HITS, DISTANCE, KAPPA], ids=lambda by: by.key)
def test_patterns_with_weights_are_items_one_by_one(by, codes):
    decided, truth = codes
    pairs, counts = np.unique(np.column_stack([decided, truth]), axis=0, return_counts=True)
    said, true = pairs.T
    patterns = Sample(weights=counts)
    constant = best_constant(by, truth, 3, ITEMS)
    assert best_constant(by, true, 3, patterns) == constant
    assert against_chance(by, said, true, 3, patterns) == pytest.approx(against_chance(by, decided, truth, 3, ITEMS))
    if constant is not None:
        assert constant_is_nearer(by, constant, said, true, 3, patterns) == pytest.approx(
            constant_is_nearer(by, constant, decided, truth, 3, ITEMS)
        )


def test_items_of_one_cluster_are_not_so_many():
    """Twelve right and four wrong tell something; as two clusters of eight they do not."""
    truth = np.zeros(16, dtype=np.int64)
    decided = (np.arange(16) % 4 == 0).astype(np.int64)
    alone = against_chance(HITS, decided, truth, 2, ITEMS)
    together = against_chance(HITS, decided, truth, 2, Sample(clusters=np.arange(16) // 8))
    assert alone < 0.05
    assert against_chance(HITS, decided, truth, 2, Sample(clusters=np.arange(16))) == alone
    assert together > 0.05, "two clusters that are alike are no certainty"
    uneven = (np.arange(16) < 4).astype(np.int64)
    assert against_chance(HITS, uneven, truth, 2, Sample(clusters=np.arange(16) // 8)) > 0.05
    assert against_chance(HITS, decided, truth, 2, Sample(clusters=np.zeros(16, dtype=np.int64))) == 1.0


@pytest.mark.slow
def test_holm_is_that_of_statsmodels():
    ps = np.random.default_rng(1).random(7).tolist()
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist())
    assert holm([]) == []


def test_worse_than_chance_is_the_other_side(codes):
    decided, truth = codes
    wrong = (decided + 1) % 3
    own = below_chance(HITS, wrong, truth, 3, ITEMS)
    assert own == pytest.approx(binomtest(int((wrong == truth).sum()), 90, 1 / 3, alternative="less").pvalue, rel=1e-12)
    # Both sides hold what is seen, so together they hold all and it once more.
    far = below_chance(DISTANCE, decided, truth, 3, ITEMS) + against_chance(DISTANCE, decided, truth, 3, ITEMS)
    assert 1.0 < far < 1.2
    assert below_chance(KAPPA, 2 - truth, truth, 3, ITEMS) < 0.001 < against_chance(KAPPA, 2 - truth, truth, 3, ITEMS)


def test_worse_than_chance_by_groups_is_held_by_their_sums(codes):
    decided, truth = codes
    wrong, groups = (decided + 1) % 3, Sample(clusters=np.repeat(np.arange(3), 30))
    assert below_chance(HITS, wrong, truth, 3, groups) > below_chance(HITS, wrong, truth, 3, ITEMS)
