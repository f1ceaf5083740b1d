"""Cohen's κ and Scott's π of two raters, held to scikit-learn, irrCAC's printed values and Fleiss' κ."""

import csv
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from comparison.statistics.agreement.coefficient import Weighting
from comparison.statistics.agreement.cohen import cohen, conger
from comparison.statistics.agreement.from_counts import brennan_prediger, fleiss, gwet
from comparison.statistics.counts import MISSING
from tests.comparison.statistics.agreement.irrcac import ABSTRACTORS
from tests.comparison.statistics.agreement.made import counted, one_by_one
from tests.comparison.statistics.agreement.scott import scott
from tests.shared_data import shared

CODES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def columns(pairs):
    return tuple(np.array(column) for column in zip(*pairs, strict=True))


@given(CODES)
@pytest.mark.slow
def test_cohen_is_scikit_learns(pairs):
    one, other = columns(pairs)
    kinds: tuple[tuple[Weighting, str | None], ...]
    kinds = (("identity", None), ("linear", "linear"), ("quadratic", "quadratic"))
    for weighting, theirs in kinds:
        found = cohen(one, other, values=4, weighting=weighting)
        if len(np.union1d(one, other)) < 2:
            assert found.undefined == "only one label was used"
        else:
            expected = cohen_kappa_score(one, other, weights=theirs, labels=[0, 1, 2, 3])
            assert found.value == pytest.approx(expected, abs=1e-9)


@given(CODES, st.sampled_from(get_args(Weighting)))
@pytest.mark.slow
def test_of_two_raters_fleiss_is_scott_and_conger_is_cohen(pairs, weighting):
    table = np.array(pairs)
    one, other = columns(pairs)
    pi = scott(one, other, values=4, weighting=weighting)
    fleiss_value = fleiss(counted(table, values=4), weighting=weighting).value
    conger_value = conger(*one_by_one(table), values=4, weighting=weighting).value
    kappa = cohen(one, other, values=4, weighting=weighting)
    if pi.value is None:
        assert fleiss_value is conger_value is kappa.value is None
    else:
        assert pi.value == pytest.approx(fleiss_value, abs=1e-9)
        assert kappa.value == pytest.approx(conger_value, abs=1e-9)


@pytest.mark.parametrize("weighting", get_args(Weighting))
def test_the_stored_abstractors(weighting):
    rows = list(csv.reader(shared("agreement_reference/cont3x3abstractors.csv").open()))[1:]
    table = np.array([[int(cell) for cell in row[1:]] for row in rows])
    one, other = (np.repeat(axis.ravel(), table.ravel()) for axis in np.indices(table.shape))
    counts = counted(np.column_stack([one, other]), values=3)
    found = [
        cohen(one, other, values=3, weighting=weighting),
        gwet(counts, weighting=weighting),
        brennan_prediger(counts, weighting=weighting),
    ]
    assert [each.value for each in found] == pytest.approx(ABSTRACTORS[weighting], abs=6e-6)


def test_what_one_of_them_left_out_is_left_out():
    one, other = np.array([0, 1, MISSING, 1]), np.array([0, 1, 1, MISSING])
    assert cohen(one, other, values=2).n == 2
    assert cohen(one[2:], other[2:], values=2).undefined == "no item has two labels yet"
