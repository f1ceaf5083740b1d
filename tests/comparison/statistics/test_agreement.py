"""Agreement against published worked examples, the degenerate cases in words, and what must not matter."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

from comparison.statistics.accuracy import kappa
from comparison.statistics.agreement import (
    _alpha_of_sums,
    _coincidences,
    _fleiss_of_sums,
    fleiss,
    krippendorff_alpha,
    percent_agreement,
)
from comparison.statistics.counts import count_labels
from comparison.statistics.pairwise import pairwise_cohen
from tests.comparison.published import FLEISS_1971, KRIPPENDORFF_2011

REFERENCE = Path(settings.BASE_DIR).parent / "shared" / "data" / "agreement_reference"
needs_reference = pytest.mark.skipif(not REFERENCE.exists(), reason=f"{REFERENCE} is not on this machine")

COUNTS = arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(0, 3))


def krippendorff_counts() -> np.ndarray:
    return np.array([[(unit == value).sum() for value in range(1, 6)] for unit in KRIPPENDORFF_2011.T])


def krippendorff_frame() -> pd.DataFrame:
    rows = [
        {"item": f"u{unit}", "rater": f"r{rater}", "label": str(value)}
        for rater, values in enumerate(KRIPPENDORFF_2011)
        for unit, value in enumerate(values)
        if value
    ]
    return pd.DataFrame(rows)


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


@needs_reference
def test_fleiss_and_alpha_on_the_stored_diagnoses():
    rows = list(csv.reader((REFERENCE / "diagnoses.csv").open()))[1:]
    values = sorted({label for row in rows for label in row})
    counts = np.array([[row.count(value) for value in values] for row in rows])
    assert fleiss(counts).value == pytest.approx(0.430245, abs=1e-6)
    assert krippendorff_alpha(counts, level="nominal").value == pytest.approx(0.43341, abs=1e-5)


@needs_reference
def test_cohen_on_the_stored_abstractors():
    rows = list(csv.reader((REFERENCE / "cont3x3abstractors.csv").open()))[1:]
    table = np.array([[int(cell) for cell in row[1:]] for row in rows])
    one, other = (np.repeat(axis.ravel(), table.ravel()) for axis in np.indices(table.shape))
    assert kappa(one, other, values=3).value == pytest.approx(0.79641, abs=1e-5)
    frame = pd.DataFrame(
        {
            "item": [*range(len(one)), *range(len(other))],
            "rater": ["a"] * len(one) + ["b"] * len(other),
            "label": [str(code) for code in [*one, *other]],
        }
    )
    assert pairwise_cohen(frame, values=["0", "1", "2"]).value == pytest.approx(0.79641, abs=1e-5)


def test_pairwise_is_the_mean_of_sklearn_over_pairs():
    found = pairwise_cohen(krippendorff_frame(), values=list("12345"))
    total = weight = 0.0
    for one in range(4):
        for other in range(one + 1, 4):
            both = (KRIPPENDORFF_2011[one] > 0) & (KRIPPENDORFF_2011[other] > 0)
            total += both.sum() * cohen_kappa_score(KRIPPENDORFF_2011[one][both], KRIPPENDORFF_2011[other][both])
            weight += both.sum()
    assert found.value == pytest.approx(total / weight)
    assert "6 pairs of annotators" in found.note


def test_pairs_that_hardly_meet_get_no_interval():
    rows = [("a", "r1", "x"), ("a", "r2", "x"), ("b", "r1", "y"), ("b", "r2", "y"), ("a", "r3", "x")]
    found = pairwise_cohen(pd.DataFrame(rows, columns=["item", "rater", "label"]), values=["x", "y"])
    assert found.value == 1
    assert found.low is None
    assert "Fleiss" in found.no_interval
    assert "2 pairs left out" in found.note


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


def test_no_two_annotators_sharing_items():
    frame = pd.DataFrame([("a", "r1", "x"), ("b", "r2", "y")], columns=["item", "rater", "label"])
    assert pairwise_cohen(frame, values=["x", "y"]).undefined == "no item has two labels yet"
    frame = pd.DataFrame([("a", "r1", "x"), ("a", "r2", "y")], columns=["item", "rater", "label"])
    assert "no two annotators share" in pairwise_cohen(frame, values=["x", "y"]).undefined


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


@hypothesis_settings(max_examples=40)
@given(arrays(np.int64, (3, 8), elements=st.integers(0, 3)), st.permutations([0, 1, 2]))
def test_the_order_of_raters_does_not_matter(labels, order):
    def frame(rows):
        return pd.DataFrame(
            [
                {"item": f"i{item}", "rater": f"r{rater}", "label": "abc"[value - 1]}
                for rater, row in enumerate(rows)
                for item, value in enumerate(row)
                if value
            ],
            columns=["item", "rater", "label"],
        )

    one, other = frame(labels), frame(labels[list(order)])
    items, values = [f"i{item}" for item in range(8)], list("abc")
    assert pairwise_cohen(one, values=values).value == pytest.approx(pairwise_cohen(other, values=values).value)
    assert (count_labels(one, items=items, values=values) == count_labels(other, items=items, values=values)).all()
