"""Agreement against published worked examples, the degenerate cases in words, and what must not matter."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from comparison.statistics.agreement.coefficients import (
    _alpha_of_sums,
    _coincidences,
    _fleiss_of_sums,
    fleiss,
    krippendorff_alpha,
    percent_agreement,
)
from tests.comparison.published import FLEISS_1971, KRIPPENDORFF_2011
from tests.shared_data import shared

COUNTS = arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(0, 3))


def krippendorff_counts() -> np.ndarray:
    return np.array([[(unit == value).sum() for value in range(1, 6)] for unit in KRIPPENDORFF_2011.T])


def test_fleiss_1971_diagnoses():
    found = fleiss(FLEISS_1971)
    assert found.value == pytest.approx(0.430, abs=5e-4)
    assert found.n == 30
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.43 < found.high


def test_krippendorff_canonical_data():
    counts = krippendorff_counts()
    assert krippendorff_alpha(counts, level="nominal").value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(counts, level="ordinal").value == pytest.approx(0.815, abs=5e-4)
    # The twelfth unit has one value only and says nothing about agreement.
    assert krippendorff_alpha(counts, level="nominal").n == 11


def test_fleiss_and_alpha_on_the_stored_diagnoses():
    rows = list(csv.reader(shared("agreement_reference/diagnoses.csv").open()))[1:]
    values = sorted({label for row in rows for label in row})
    counts = np.array([[row.count(value) for value in values] for row in rows])
    assert fleiss(counts).value == pytest.approx(0.430245, abs=1e-6)
    assert krippendorff_alpha(counts, level="nominal").value == pytest.approx(0.43341, abs=1e-5)


@pytest.mark.parametrize("statistic", [fleiss, percent_agreement, lambda c: krippendorff_alpha(c, level="ordinal")])
@pytest.mark.parametrize("counts", [np.zeros((0, 3), int), np.zeros((2, 3), int), np.eye(3, dtype=int)])
def test_fewer_than_two_labels_is_said_in_words(statistic, counts):
    assert str(statistic(counts)) == "undefined: no item has two labels yet"


def test_one_label_used_is_said_in_words():
    counts = np.array([[3, 0], [3, 0]])
    assert str(fleiss(counts)) == "undefined: only one label was used"
    assert str(krippendorff_alpha(counts, level="nominal")) == "undefined: only one label was used"
    assert percent_agreement(counts).value == 1
    assert "same value" in percent_agreement(counts).no_interval


def test_fleiss_says_how_many_items_it_leaves_out():
    counts = np.array([[2, 1], [1, 2], [3, 0], [1, 1], [0, 5]])
    found = fleiss(counts)
    assert found.n == 3
    assert found.note == "2 items with another number of labels than 3 left out"


def test_the_resampled_forms_are_the_libraries_statistics():
    counts = krippendorff_counts()
    pairable = counts[counts.sum(axis=1) >= 2]
    sums = _coincidences(pairable).sum(axis=0).reshape(1, 5, 5)
    for level in ("nominal", "ordinal"):
        assert _alpha_of_sums(sums, level)[0] == pytest.approx(krippendorff_alpha(counts, level=level).value)
    agreement = (FLEISS_1971 * (FLEISS_1971 - 1)).sum(axis=1) / 30
    parts = np.column_stack([np.ones(30), agreement, FLEISS_1971]).sum(axis=0, keepdims=True)
    assert _fleiss_of_sums(parts)[0] == pytest.approx(fleiss(FLEISS_1971).value)


@hypothesis_settings(max_examples=40)
@given(COUNTS, st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(counts, rng):
    order = list(range(len(counts)))
    rng.shuffle(order)
    for statistic in (fleiss, percent_agreement, lambda c: krippendorff_alpha(c, level="ordinal")):
        assert statistic(counts).value == pytest.approx(statistic(counts[order]).value)


@hypothesis_settings(max_examples=40)
@given(COUNTS, st.randoms(use_true_random=False))
def test_renaming_labels_does_not_matter_on_a_nominal_scale(counts, rng):
    order = list(range(counts.shape[1]))
    rng.shuffle(order)
    for statistic in (fleiss, percent_agreement, lambda c: krippendorff_alpha(c, level="nominal")):
        assert statistic(counts).value == pytest.approx(statistic(counts[:, order]).value)


@hypothesis_settings(max_examples=40)
@given(COUNTS)
def test_no_statistic_is_ever_nan(counts):
    for found in (
        fleiss(counts),
        percent_agreement(counts),
        krippendorff_alpha(counts, level="nominal"),
        krippendorff_alpha(counts, level="ordinal"),
    ):
        assert (found.value is None) == bool(found.undefined)
        assert "nan" not in str(found)
