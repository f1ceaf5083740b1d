"""Krippendorff's α against the published worked example and the krippendorff package, at every level."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from comparison.statistics.agreement.alpha import Level, krippendorff_alpha, reliability, spearman_brown
from tests.comparison.published import FLEISS_1971, KRIPPENDORFF_2011

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
COUNTS = arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.integers(0, 3))


def krippendorff_counts() -> np.ndarray:
    return np.array([[(unit == value).sum() for value in range(1, 6)] for unit in KRIPPENDORFF_2011.T])


def test_every_level_of_the_canonical_data_to_the_printed_digits():
    for level, printed in zip(LEVELS, (0.743421, 0.815388, 0.849107, 0.797403), strict=True):
        found = krippendorff_alpha(krippendorff_counts(), level=level)
        assert found.value == pytest.approx(printed, abs=5e-7)
        # The twelfth unit has one value only and says nothing about agreement.
        assert found.n == 11


def test_alpha_on_the_diagnoses_of_fleiss():
    assert krippendorff_alpha(FLEISS_1971, level="nominal").value == pytest.approx(0.43341, abs=1e-5)


@pytest.mark.slow
@hypothesis_settings(max_examples=60)
@given(COUNTS, st.sampled_from(LEVELS))
def test_as_the_krippendorff_package_has_it(counts, level):
    found = krippendorff_alpha(counts, level=level)
    pairable = counts[counts.sum(axis=1) >= 2]
    if found.undefined:
        assert not len(pairable) or (pairable.sum(axis=0) > 0).sum() == 1
        return
    theirs = krippendorff.alpha(
        value_counts=pairable, value_domain=list(range(1, counts.shape[1] + 1)), level_of_measurement=level
    )
    assert found.value == pytest.approx(theirs, abs=1e-12)


def test_numbers_that_labels_stand_for():
    counts = krippendorff_counts()
    numbers = [0, 0.5, 2, 10, 30]
    for level in ("interval", "ratio"):
        theirs = krippendorff.alpha(value_counts=counts, value_domain=numbers, level_of_measurement=level)
        assert krippendorff_alpha(counts, level=level, numbers=numbers).value == pytest.approx(theirs, abs=1e-12)
    moved = [number - 7 for number in numbers]
    assert krippendorff_alpha(counts, level="ratio", numbers=moved).undefined == "ratios need numbers of 0 or more"
    moved_by_seven = krippendorff_alpha(counts, level="interval", numbers=moved)
    assert moved_by_seven.value == pytest.approx(krippendorff_alpha(counts, level="interval", numbers=numbers).value)


def test_one_label_used_is_said_in_words():
    counts = np.array([[3, 0], [3, 0]])
    assert str(krippendorff_alpha(counts, level="nominal")) == "undefined: only one label was used"


def test_the_reliability_of_all_labels_is_how_they_go_with_those_of_as_many_others():
    rng = np.random.default_rng(1)
    share = rng.beta(2, 2, size=4000)
    many = rng.choice([3, 5, 20], size=4000)
    yes, others = rng.binomial(many, share), rng.binomial(many, share)
    counts = np.column_stack([many - yes, yes])
    found = reliability(counts, krippendorff_alpha(counts, level="nominal"))
    with_others = np.mean((yes / many - 0.5) * (others / many - 0.5)) / np.var(yes / many)
    assert found.value == pytest.approx(with_others, abs=0.02)
    assert found.low is not None
    assert found.high is not None
    assert found.low < with_others < found.high
    assert found.note == "of 5.1 labels per item"


def test_thirty_nine_people_of_low_alpha_have_a_reliable_majority():
    assert round(spearman_brown(0.13, 39), 2) == 0.85


def test_below_zero_there_is_no_reliability_of_all_labels():
    counts = np.tile([1, 1], (9, 1))
    assert reliability(counts, krippendorff_alpha(counts, level="nominal")).undefined == "α is not above 0"
