"""The most used label, and when it is said that it is nearly all there is."""

import numpy as np

from comparison.statistics.agreement.from_counts import prevalence
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample


def test_a_skew_is_named_above_four_fifths_only():
    skewed, even = prevalence(np.array([[5, 0]] * 9 + [[3, 2]])), prevalence(np.array([[4, 1]] * 10))
    assert skewed.code == 0
    assert skewed.words("no").startswith("96 % of all labels are “no”.")
    assert even.share.value == 0.8
    assert even.words("no") == ""


def test_patterns_are_items_one_by_one():
    counts, weights = np.array([[3, 0], [1, 2], [0, 0]]), np.array([40, 7, 2])
    assert prevalence(counts, sample=Sample(weights=weights)) == prevalence(np.repeat(counts, weights, axis=0))
    assert prevalence(counts, sample=Sample(weights=weights)).share.n == 141
    assert prevalence(counts).share.unit == "labels"


def test_nothing_labeled():
    found = prevalence(np.zeros((3, 2), int))
    assert found.code == MISSING
    assert found.share.undefined == "no item is labeled yet"
    assert found.words("no") == ""
