"""McNemar's test: worked by hand, held to the binomial distribution, and undefined with a reason."""

import numpy as np
import pytest
from scipy.stats import binomtest

from comparison.statistics.counts import MISSING
from comparison.statistics.pairs import NEVER_APART, NOTHING_SHARED, paired


def decisions(both: int, only_one: int, only_other: int, neither: int):
    """Two raters and a truth of all zeros with these counts."""
    one = [0] * (both + only_one) + [1] * (only_other + neither)
    other = [0] * both + [1] * only_one + [0] * only_other + [1] * neither
    return np.array(one), np.array(other), np.zeros(len(one), dtype=np.int64)


def test_a_worked_example():
    """10 against 3 of 13 that differ: p = 2 · P(X ≤ 3), X ~ B(13, ½) = 2 · (1 + 13 + 78 + 286) / 8192 = .0923."""
    found = paired(*decisions(20, 10, 3, 5))
    assert (found.both, found.only_one, found.only_other, found.neither) == (20, 10, 3, 5)
    assert (found.n, found.discordant) == (38, 13)
    assert found.p == pytest.approx(756 / 8192)
    assert found.p_words == "p = .092"


@pytest.mark.parametrize("counts", [(5, 1, 0, 0), (0, 4, 4, 9), (7, 30, 12, 2), (1, 0, 60, 3)])
def test_it_is_the_two_sided_binomial_test(counts):
    found = paired(*decisions(*counts))
    assert found.p == pytest.approx(binomtest(counts[1], counts[1] + counts[2]).pvalue)


def test_turning_the_two_round_changes_nothing_but_who_is_who():
    one, other, truth = decisions(7, 30, 12, 2)
    there, back = paired(one, other, truth), paired(other, one, truth)
    assert (there.only_one, there.only_other) == (back.only_other, back.only_one)
    assert there.p == back.p


def test_items_that_one_of_them_or_the_truth_lacks_are_left_out():
    one, other, truth = decisions(20, 10, 3, 5)
    one[0], other[1], truth[2] = MISSING, MISSING, MISSING
    assert paired(one, other, truth).n == 35


def test_undefined_with_a_reason():
    one, other, truth = decisions(4, 0, 0, 2)
    assert paired(one, other, truth).undefined == NEVER_APART
    assert "undefined:" in paired(one, other, truth).p_words
    nothing = np.full(6, MISSING)
    assert paired(one, nothing, truth).undefined == NOTHING_SHARED


def test_a_very_small_p_is_not_zero():
    assert paired(*decisions(0, 60, 0, 0)).p_words == "p < .001"
