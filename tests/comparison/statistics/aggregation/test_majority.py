"""The majority label, and the counts of ADEPT’s Table 4."""

import numpy as np
import pytest

from comparison.statistics.aggregation import agreement_counts, kinds, majority, no_majority
from comparison.statistics.resampling.sample import Sample

# Five items, three values: unanimous, majority, tie of three, lone label, none.
COUNTS = np.array([[3, 0, 0], [1, 2, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]])


def test_majority_needs_two_that_agree_and_no_tie():
    assert majority(COUNTS).tolist() == [0, 1, -1, -1, -1]
    assert kinds(COUNTS).tolist() == ["unanimous", "majority", "none", "none", "unlabeled"]
    assert majority(np.array([[2, 2, 1]])).tolist() == [-1]


def test_counts_as_in_table_4():
    found = agreement_counts(COUNTS, ["a", "b", "c"])
    assert (found.unanimous, found.majority, found.none, found.lone, found.unlabeled) == (1, 1, 2, 1, 1)
    assert (found.agreed, found.labeled) == (2, 4)
    first, second, third = found.by_label
    assert (first.items, first.unanimous, first.share.value, first.share_unanimous.value) == (1, 1, 0.5, 1.0)
    assert (second.items, second.unanimous, second.share_majority.value) == (1, 0, 1.0)
    assert (third.items, third.share_unanimous.value) == (0, None)


def test_shares_are_of_labeled_items_with_wilsons_interval():
    """The figures of docs/papers/adept.md: 80 unanimous, 44 by majority and 2 without of 126, and one not labeled."""
    counts = np.array([[3, 0]] * 80 + [[2, 1]] * 44 + [[1, 1]] * 2 + [[0, 0]])
    found = agreement_counts(counts, ["a", "b"])
    shares = [found.share_unanimous, found.share_majority, found.share_none]
    assert [one.to(2) for one in shares] == [".63 [.55, .71]", ".35 [.27, .44]", ".02 [.00, .06]"]
    assert {one.n for one in shares} == {126}
    in_groups = agreement_counts(counts, ["a", "b"], sample=Sample(clusters=np.arange(127) // 20)).share_unanimous
    assert in_groups.value == shares[0].value
    assert in_groups.low is not None
    assert shares[0].low is not None
    assert in_groups.low < shares[0].low


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[1, 0], [0, 1], [0, 0]], "no majority: one label per item"),
        ([[1, 1], [1, 0]], "no majority: no item has a most frequent label given at least twice"),
        ([[1, 0], [2, 0]], ""),
        ([[0, 0]], ""),
    ],
)
def test_why_there_is_no_majority(counts, words):
    assert no_majority(np.array(counts)) == words
