"""Tests between values: as SciPy has them, their level held where items hang together, words where there is no test."""

from collections.abc import Sequence
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2_contingency, fisher_exact, ncx2

from comparison.statistics.by_attribute.between_values import CHI_SQUARED, FISHER, between_values, chi_squared
from comparison.statistics.chance import ALIKE, INSIDE, WHOLE
from comparison.statistics.counts import Ints
from comparison.statistics.resampling.sample import Sample


def items(table: Sequence[tuple[int, int]]) -> tuple[NDArray[np.object_], Ints, Ints]:
    """From counts of right and wrong to a value, a decision and a truth an item."""
    column = [str(row) for row, (right, wrong) in enumerate(table) for _ in range(right + wrong)]
    decided = [one for right, wrong in table for one in [0] * right + [1] * wrong]
    return np.array(column, dtype=object), np.array(decided), np.zeros(len(decided), dtype=int)


def test_it_is_scipys_chi_squared():
    table = [(80, 80), (63, 57), (38, 82)]
    found = between_values(*items(table), ["0", "1", "2"])
    expected = chi2_contingency(table, correction=False)
    assert (found.test, found.degrees, found.n) == (CHI_SQUARED, 2, 400)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.v.value == pytest.approx(np.sqrt(expected.statistic / 400))


def test_two_values_have_yatess_correction_beside_whatever_the_test():
    """Counts of 128 and 129 items that give the χ² of Kauf et al. (2023): 20.92 for RoBERTa, 5.24 for people."""
    for table, published, test in (([(125, 3), (101, 28)], 20.92, CHI_SQUARED), ([(128, 0), (122, 7)], 5.24, FISHER)):
        found = between_values(*items(table), ["0", "1"])
        expected = chi2_contingency(table, correction=True)
        assert found.test == test
        assert (found.yates, found.p_yates) == pytest.approx((expected.statistic, expected.pvalue))
        assert found.yates == pytest.approx(published, abs=0.005)
    near = [(10, 10), (10, 11)]
    expected = chi2_contingency(near, correction=True)
    found = between_values(*items(near), ["0", "1"])
    assert (found.yates, found.p_yates) == pytest.approx((expected.statistic, expected.pvalue))


def test_more_than_two_values_have_no_yates():
    found = between_values(*items([(80, 80), (63, 57), (38, 82)]), ["0", "1", "2"])
    assert (found.yates, found.p_yates) == (None, None)


def test_few_items_are_fishers():
    two, three = [(8, 2), (1, 5)], [(8, 1), (1, 5), (3, 3)]
    found = between_values(*items(two), ["0", "1"])
    assert (found.test, found.statistic) == (FISHER, None)
    assert found.p == pytest.approx(fisher_exact(two).pvalue)
    drawn = between_values(*items(three), ["0", "1", "2"])
    observed = comb(9, 8) * comb(6, 1) * comb(6, 3)
    # Every table with the same margins, by hand.
    rows, rights, total = [9, 6, 6], 12, 0
    chances = []
    for a in range(10):
        for b in range(7):
            c = rights - a - b
            if 0 <= c <= 6:
                chance = comb(rows[0], a) * comb(rows[1], b) * comb(rows[2], c)
                chances.append(chance)
                total += chance
    exact = sum(one for one in chances if one <= observed) / total
    assert drawn.p == pytest.approx(exact, abs=0.01)


def test_smithsons_interval_of_v():
    """The ends are where the noncentral distribution has 2.5 % beyond what was seen; DescTools' CramerV has these."""
    table = [(80, 80), (63, 57), (38, 82)]
    found = between_values(*items(table), ["0", "1", "2"])
    assert found.statistic is not None
    assert found.v.low is not None
    assert found.v.high is not None
    for end, tail in ((found.v.low, 0.975), (found.v.high, 0.025)):
        assert ncx2.cdf(found.statistic, 2, end**2 * 400) == pytest.approx(tail, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("whole", "how"), [(1.0, WHOLE), (0.0, INSIDE), (0.7, ALIKE)])
def test_groups_hold_the_level(whole, how, monkeypatch):
    """Groups of eight that are right or wrong nearly as one: items one by one would err in a third of the worlds.

    Of 60 worlds these are 7 or fewer once in 10,000 times, and 5 of 100 are more than 7 once in 100 times.
    """
    # A fourth of the deals: p is as likely to be below .05 by them.
    monkeypatch.setattr("comparison.statistics.chance.EXCHANGES", 499)
    rng = np.random.default_rng(7)
    groups, size, worlds = 20, 8, 60
    clusters = np.repeat(np.arange(groups), size)
    pure = np.repeat(np.arange(groups) < whole * groups, size)
    value = np.where(pure, np.repeat(rng.permutation(groups) % 2, size), np.tile([0, 1], groups * size // 2))
    column = value.astype(str).astype(object)
    below = alone = 0
    for _ in range(worlds):
        chance = np.repeat(rng.choice([0.1, 0.9], groups), size)
        decided = (rng.random(groups * size) > chance).astype(int)
        found = between_values(column, decided, np.zeros_like(decided), ["0", "1"], sample=Sample(clusters=clusters))
        one = between_values(column, decided, np.zeros_like(decided), ["0", "1"])
        assert found.by_groups == how
        assert found.p is not None
        assert one.p is not None
        below += found.p < 0.05
        alone += one.p < 0.05
    assert below <= 7
    assert alone >= 12 * whole


@pytest.mark.slow
def test_items_that_stand_alone_count_beside_a_few_pairs():
    """1,571 items by themselves and 13 pairs of both values, as of ADEPT's validation split."""
    rng = np.random.default_rng(1)
    codes = np.concatenate([np.repeat([0, 1], [1200, 371]), np.tile([0, 1], 13)])
    right = rng.random(len(codes)) < np.where(codes == 0, 0.74, 0.42)
    clusters = np.concatenate([np.arange(1571), 1571 + np.repeat(np.arange(13), 2)])
    truth = np.zeros(len(codes), dtype=int)
    column = codes.astype(str).astype(object)
    found = between_values(column, (~right).astype(int), truth, ["0", "1"], sample=Sample(clusters=clusters))
    assert found.by_groups == ALIKE
    assert found.p == pytest.approx(1 / 2000)


def test_groups_have_power():
    column = np.repeat(np.array(["a", "b"], dtype=object), 100)
    decided = np.repeat([0, 1], 100)
    clusters = np.arange(200) // 5
    found = between_values(column, decided, np.zeros(200, dtype=int), ["a", "b"], sample=Sample(clusters=clusters))
    assert found.p == pytest.approx(1 / 2000)
    assert found.v.value == 1


@pytest.mark.parametrize(
    ("table", "values", "why"),
    [
        ([(5, 0), (4, 0)], ["0", "1"], "all of them are right"),
        ([(0, 5), (0, 4)], ["0", "1"], "all of them are wrong"),
        ([(5, 3)], ["0", "1"], "all compared items have the same value"),
        ([(5, 3)], ["x"], "no item has both an answer and a label to compare it with"),
    ],
)
def test_where_there_is_no_test_words_say_why(table, values, why):
    found = between_values(*items(table), values)
    assert (found.p, found.undefined, found.v.value) == (None, why, None)


def test_many_tables_at_once():
    tables = np.array([[[3.0, 5.0], [6.0, 2.0]], [[4.0, 4.0], [4.0, 4.0]]])
    expected = [chi2_contingency(one, correction=False).statistic for one in tables]
    assert chi_squared(tables) == pytest.approx(expected)
