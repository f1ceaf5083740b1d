"""Accuracy and Cohen’s κ, held to the paper, to scikit-learn and to statsmodels."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from comparison.statistics.accuracy.hits import accuracy, kappa, share
from comparison.statistics.agreement.cohen import kappa_of_tables
from comparison.statistics.wilson import wilson


def test_adept_majority_baseline_to_the_paper():
    """1070 of 1611 validation items are equally likely (66.42 %; the paper prints 66.4)."""
    truth = np.repeat([2, 1], [1070, 541])
    hits = accuracy(np.full(1611, 2), truth)
    assert (hits.correct, hits.compared, hits.percent) == (1070, 1611, "66.42 %")
    assert str(hits.accuracy) == ".66 [.64, .69], n = 1,611"


@pytest.mark.parametrize(("count", "n", "level"), [(1, 7, 0.05), (30, 60, 0.05), (0, 12, 0.05), (59.4, 81.3, 0.01)])
def test_wilsons_interval_is_that_of_statsmodels(count, n, level):
    expected = proportion_confint(count, n, method="wilson", alpha=level)
    assert wilson(count / n, n, float(norm.isf(level / 2))) == pytest.approx(expected, abs=1e-12)


def test_items_without_a_decision_are_not_counted_as_wrong():
    hits = accuracy(np.array([0, -1, 1, 0]), np.array([0, 0, -1, 1]))
    assert (hits.correct, hits.compared) == (1, 2)
    assert accuracy(np.array([-1]), np.array([0])).accuracy.undefined.startswith("no item has both")


def test_kappa_is_sklearns_and_its_interval_is_near_the_asymptotic_one():
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=600)
    decided = np.where(rng.random(600) < 0.7, truth, rng.integers(3, size=600))
    found = kappa(decided, truth, values=3)
    table = np.bincount(decided * 3 + truth, minlength=9).reshape(3, 3)
    asymptotic = cohens_kappa(table)
    assert found.value == pytest.approx(cohen_kappa_score(decided, truth))
    assert kappa_of_tables(table[None].astype(float), np.eye(3))[0] == pytest.approx(found.value)
    assert found.low == pytest.approx(asymptotic.kappa_low, abs=0.01)
    assert found.high == pytest.approx(asymptotic.kappa_upp, abs=0.01)
    assert kappa(decided, truth, values=3) == found, "seeded: the same data give the same interval"


def test_kappa_of_a_rater_with_one_label():
    constant = kappa(np.zeros(10, int), np.arange(10) % 2, values=2)
    assert constant.value == 0
    assert "all answers are the same label" in constant.no_interval
    assert kappa(np.zeros(3, int), np.zeros(3, int), values=2).undefined == "only one label was used"


@pytest.mark.parametrize("decided", [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]])
def test_kappa_against_one_label_alone_is_undefined_with_that_label(decided):
    """Whatever is decided: by the formula it would be 0, or 0/0."""
    found = kappa(np.array(decided), np.zeros(4, int), values=2, words=["yes", "no"], called="references")
    assert (found.value, found.n) == (None, 4)
    assert str(found) == "undefined: all references are one label (yes)"


def test_kappa_tells_one_label_alone_from_one_label_on_what_was_decided():
    found = kappa(np.array([0, 1, -1]), np.array([0, 0, 1]), values=2, words=["yes", "no"], called="references")
    assert found.undefined == "all references of the answered items are one label (yes)"


@pytest.mark.parametrize("total", [17, 186, 1_070, 1_611])
def test_an_interval_begins_at_0_and_ends_at_1_to_the_digit(total):
    none, every = share(0, total, reason=""), share(total, total, reason="")
    assert (none.low, every.high) == (0.0, 1.0)
    assert every.low is not None
    assert none.high == pytest.approx(1 - every.low)
