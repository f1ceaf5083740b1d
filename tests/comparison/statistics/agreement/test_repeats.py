"""Agreement with oneself, held to scikit-learn; what hangs together is drawn together."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from comparison.statistics.agreement.cohen import repeated
from tests.comparison.statistics.agreement.made import ends, width


def test_each_label_is_held_against_the_one_before():
    # Item 3 was labeled three times by rater 0, which is two repeats; rater 1 labeled nothing again.
    items = np.array([3, 4, 3, 5, 3, 4, 4])
    raters = np.array([0, 0, 0, 0, 0, 0, 1])
    labels = np.array([0, 1, 0, 2, 1, 1, 0])
    found = repeated(items, raters, labels, values=3)
    assert found.percent.n == found.kappa.n == 3
    assert found.percent.value == pytest.approx(2 / 3)
    assert found.percent.note == "1 annotator"
    assert found.kappa.value == pytest.approx(cohen_kappa_score([0, 0, 1], [0, 1, 1]))


def test_weighted_and_pooled_over_annotators():
    rng = np.random.default_rng(1)
    first = rng.integers(4, size=600)
    second = np.where(rng.random(600) < 0.7, first, rng.integers(4, size=600))
    items, raters = np.tile(np.arange(30), 40), np.tile(np.repeat(np.arange(20), 30), 2)
    found = repeated(items, raters, np.concatenate([first, second]), values=4, weighting="quadratic")
    assert found.percent.value == pytest.approx((first == second).mean())
    assert found.kappa.value == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))
    low, middle, high = ends(found.kappa)
    assert low < middle < high
    assert found.kappa.note == "20 annotators"


def test_whole_annotators_are_drawn_where_there_are_enough():
    # Ten of twenty annotators always change their mind: repeats of one hang together.
    raters = np.tile(np.repeat(np.arange(20), 30), 2)
    first = np.tile([0, 1], 300)
    second = np.where(raters[:600] < 10, 1 - first, first)
    found = repeated(np.tile(np.arange(30), 40), raters, np.concatenate([first, second]), values=2).percent
    assert width(found) > 0.35


def test_nobody_twice_and_one_label_are_said_in_words():
    items = np.arange(4)
    assert repeated(items, items * 0, items % 2, values=2).kappa.undefined == "no one has labeled an item twice"
    again = repeated(np.tile(items, 2), np.zeros(8, int), np.zeros(8, int), values=2)
    assert again.percent.value == 1
    assert again.kappa.undefined == "only one label was used"
