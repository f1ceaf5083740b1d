"""The same figures for each value of an attribute."""

import numpy as np

from comparison.statistics.accuracy.breakdown import breakdown


def test_breakdown_puts_the_largest_group_first():
    groups = breakdown(["x", "y", "y", ""], np.eye(4, dtype=int) * 2, np.arange(4), {"run": np.array([0, 1, 0, 3])})
    assert [(group.value, group.items) for group in groups] == [("y", 2), ("(none)", 1), ("x", 1)]
    assert groups[0].runs["run"].correct == 1
