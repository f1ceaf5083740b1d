"""Shares of labels by value: against statsmodels where items have one label, by their draws where they have several."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from comparison.statistics.by_attribute.label_shares import label_shares, one_label
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.agreement.made import width


def test_one_label_an_item_has_wilsons_interval():
    codes = np.array([0] * 20 + [1] * 35 + [2] * 5 + [-1] * 4)
    (found,) = label_shares(["x"] * 64, one_label(codes, values=3))
    assert (found.items, found.labels, found.without) == (64, 60, 4)
    assert [one.count for one in found.shares] == [20, 35, 5]
    for one in found.shares:
        low, high = proportion_confint(one.count, 60, method="wilson")
        assert (one.share.value, one.share.low, one.share.high) == pytest.approx((one.count / 60, low, high))


def test_of_several_labels_an_item_the_interval_knows_that_they_hang_together():
    """Three labels that are always the same are worth one."""
    same = np.array([[3, 0]] * 30 + [[0, 3]] * 30)
    mixed = np.array([[2, 1]] * 30 + [[1, 2]] * 30)
    (alike,), (apart,) = (label_shares(["x"] * 60, counts) for counts in (same, mixed))
    assert (alike.shares[0].share.value, apart.shares[0].share.value) == (0.5, 0.5)
    assert (alike.shares[0].share.n, alike.shares[0].share.unit) == (180, "labels")
    low, high = proportion_confint(30, 60, method="wilson")
    assert width(alike.shares[0].share) == pytest.approx(high - low, rel=0.1)
    assert width(apart.shares[0].share) < 0.4 * width(alike.shares[0].share)


def test_groups_widen_it():
    codes = np.tile([0, 0, 0, 1, 1, 1], 10)
    alone = label_shares(["x"] * 60, one_label(codes, values=2))[0].shares[0].share
    groups = Sample(clusters=np.arange(60) // 3)
    together = label_shares(["x"] * 60, one_label(codes, values=2), sample=groups)[0].shares[0].share
    assert together.value == alone.value
    assert width(together) > 1.4 * width(alone)


def test_values_come_in_the_order_that_is_given_and_one_without_labels_says_so():
    found = label_shares(["b", "a", "b", ""], one_label(np.array([0, -1, 1, 0]), values=2), order=("a", "b"))
    assert [one.value for one in found] == ["a", "b", "(none)"]
    assert found[0].shares[0].share.undefined == "no item with this value has a label"
