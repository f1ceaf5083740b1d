"""Fleiss, Gwet, Brennan and Prediger, and Conger, held to what irrCAC prints, to statsmodels and to the papers."""

import csv
from typing import get_args

import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa

from comparison.statistics.agreement.coefficient import Weighting, weight_matrix
from comparison.statistics.agreement.cohen import conger
from comparison.statistics.agreement.from_counts import brennan_prediger, fleiss, gwet
from tests.comparison.published import FLEISS_1971
from tests.comparison.statistics.agreement.irrcac import ANXIETY, PRINTED, TABLES
from tests.comparison.statistics.agreement.made import counted, one_by_one, value
from tests.shared_data import shared

DIGITS = 6e-6


def ours(table, values, weighting):
    """Fleiss, Gwet, Brennan-Prediger and Conger of a table with 0 where there is no label."""
    counts, said = counted(table - 1, values=values), one_by_one(table - 1)
    found = [statistic(counts, weighting=weighting) for statistic in (fleiss, gwet, brennan_prediger)]
    return [*found, conger(*said, values=values, weighting=weighting)]


@pytest.mark.parametrize(("name", "weighting"), PRINTED)
def test_as_irrcac_prints_it(name, weighting):
    table, values = TABLES[name]
    found = ours(table, values, weighting)
    assert [one.value for one in found] == pytest.approx(PRINTED[name, weighting], abs=DIGITS)
    assert all(one.low < one.value < one.high for one in found)


@pytest.mark.parametrize("weighting", get_args(Weighting))
def test_the_stored_anxiety_ratings(weighting):
    rows = list(csv.reader(shared("agreement_reference/anxiety.csv").open()))[1:]
    found = ours(np.array(rows, dtype=int), 6, weighting)
    assert [one.value for one in found] == pytest.approx(ANXIETY[weighting], abs=DIGITS)


def test_fleiss_1971_diagnoses():
    found = fleiss(FLEISS_1971)
    assert found.value == pytest.approx(0.430245, abs=1e-6)
    assert gwet(FLEISS_1971).value == pytest.approx(0.447885, abs=1e-6)
    assert found.n == 30
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.43 < found.high


def test_with_as_many_labels_on_every_item_fleiss_is_the_classical_one():
    counts = np.random.default_rng(4).multinomial(5, [0.5, 0.3, 0.2], size=50)
    assert fleiss(counts).value == pytest.approx(fleiss_kappa(counts), abs=1e-12)


def test_one_label_used_is_said_in_words():
    counts = np.array([[3, 0], [3, 0]])
    assert str(fleiss(counts)) == "undefined: only one label was used"
    items, raters, labels = np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), np.zeros(6, int)
    assert str(conger(items, raters, labels, values=2)) == "undefined: only one label was used"
    # Chance is not certain for these two, whatever is used.
    assert gwet(counts).value == brennan_prediger(counts).value == 1
    assert "same value" in gwet(counts).no_interval


def test_items_with_one_label_are_named():
    counts = np.array([[2, 1], [1, 2], [3, 0], [1, 0], [0, 5]])
    for statistic in (fleiss, gwet, brennan_prediger):
        found = statistic(counts)
        assert found.n == 4
        assert found.note == "1 item with one label counts only toward how often labels are used"
    found = conger(np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 0, 1, 1]), values=2)
    assert found.n == 2
    assert found.note.startswith("2 items with one label count only")


def test_a_skew_crushes_fleiss_and_not_ac1():
    counts = np.array([[5, 0]] * 95 + [[4, 1]] * 5)
    assert value(fleiss(counts)) < 0.05
    assert value(gwet(counts)) > 0.95


def test_scotts_pi_of_two_raters_is_fleiss_and_one_rater_has_no_conger():
    items = np.arange(4)
    assert conger(items, np.zeros(4, int), items % 2, values=2).undefined == "no item has two labels yet"
    twice = conger(np.repeat(items, 2), np.zeros(8, int), np.tile([0, 1], 4), values=2)
    assert twice.undefined == "all labels are from one annotator"


@pytest.mark.parametrize("weighting", get_args(Weighting))
def test_weights_fall_with_distance(weighting):
    weights = weight_matrix(weighting, values=5)
    assert (np.diag(weights) == 1).all()
    assert (weights == weights.T).all()
    assert (np.diff(weights[0]) <= 0).all()
    assert weights[0, -1] == 0
