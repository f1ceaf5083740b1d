"""Estimates read as papers print them, and are finite or say why not."""

import numpy as np
import pytest

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.estimate import Estimate, percent


def test_an_estimate_reads_as_a_paper_prints_it():
    assert str(Estimate(0.7412, 0.7049, 0.7783, n=1611)) == ".74 [.70, .78], n = 1,611"
    assert str(Estimate(-0.004, -0.05, 0.04, n=9)) == ".00 [−.05, .04], n = 9"
    # Ranks go beyond the scale from -1 to 1: whole numbers where the interval spans ten, and no zero taken away.
    assert Estimate(2174.54, 1944.9, 2426.1, n=399).short == "2,175 [1,945, 2,426]"
    assert Estimate(-0.4, -6.2, 3.04, n=40).short == "−0.4 [−6.2, 3.0]"
    assert Estimate(-0.4, -13.7, 10.1, n=40).short == "0 [−14, 10]"
    assert str(Estimate(1.0, 0.96, 1.0, n=90)) == "1.00 [.96, 1.00], n = 90"
    assert str(Estimate.none("only one label was used", n=4)) == "undefined: only one label was used"


def test_a_share_is_rounded_half_up_as_its_counts_are():
    assert Estimate(23 / 40, 0.42, 0.715, n=40).short == ".58 [.42, .72]"
    assert Estimate(-1 / 8, n=40).short == "−.13"
    assert (percent(1 / 8), percent(0.145), percent(1.0)) == ("13 %", "15 %", "100 %")
    assert accuracy(np.zeros(800, dtype=int), np.array([0] + 799 * [1])).percent == "0.13 %"


def test_an_estimate_has_no_more_digits_than_its_interval_supports():
    assert Estimate(0.5, 0.1, 0.9, n=6).short == ".5 [.1, .9]"
    assert Estimate(0.66418, 0.662, 0.666, n=99999).short == ".664 [.662, .666]"


@pytest.mark.parametrize("bad", [{"value": float("nan")}, {"value": None}, {"value": 1.0, "low": 0.5}])
def test_an_estimate_refuses_to_be_not_a_number(bad):
    with pytest.raises(ValueError, match=r"finite|reason|two ends"):
        Estimate(**bad)
