"""Shares of labels given and true: against statsmodels, and where nothing can be told."""

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from comparison.statistics.bias import SAME_ITEMS, label_biases
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample


def test_each_label_is_mcnemars_test_of_given_against_true():
    rng = np.random.default_rng(2)
    truth, decided = rng.integers(3, size=80), rng.choice(3, size=80, p=[0.2, 0.3, 0.5])
    for one in label_biases(decided, truth, values=3):
        given, true = decided == one.code, truth == one.code
        table = [[(given & true).sum(), (given & ~true).sum()], [(~given & true).sum(), (~given & ~true).sum()]]
        assert one.p == pytest.approx(mcnemar(table, exact=True).pvalue)
        assert (one.given, one.true) == (given.mean(), true.mean())
        assert one.difference.value == pytest.approx(given.mean() - true.mean())


def test_of_two_labels_the_favored_one_is_told():
    truth = np.array([0, 1] * 10)
    for code in (0, 1):
        (one,) = label_biases(np.full(20, code), truth, values=2)
        assert (one.code, one.given, one.true) == (code, 1.0, 0.5)


def test_groups_that_answer_alike_count_once():
    truth, decided = np.tile([0, 1], 40), np.zeros(80, dtype=int)
    (alone,) = label_biases(decided, truth, values=2)
    (grouped,) = label_biases(decided, truth, values=2, sample=Sample(clusters=np.repeat(np.arange(4), 20)))
    assert alone.p is not None
    assert alone.p < 1e-6
    assert grouped.p == pytest.approx(2 / 2**4)


def test_where_nothing_can_be_told_the_reason_is_said():
    truth = np.array([0, 1, 2, 2])
    assert [one.undefined for one in label_biases(truth, truth, values=3)] == [SAME_ITEMS] * 3
    assert label_biases(np.full(4, MISSING), truth, values=3) == ()
