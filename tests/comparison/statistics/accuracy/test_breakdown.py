"""The same figures for each value of an attribute."""

import numpy as np
import pytest

from comparison.statistics.accuracy.breakdown import breakdown


def test_breakdown_puts_the_largest_group_first():
    groups = breakdown(["x", "y", "y", ""], np.eye(4, dtype=int) * 2, np.arange(4), {"run": np.array([0, 1, 0, 3])})
    assert [(group.value, group.items) for group in groups] == [("y", 2), ("(none)", 1), ("x", 1)]
    assert groups[0].runs["run"].correct == 1


def test_people_stand_against_the_references_too():
    """Three people on four items: by hand, five of the nine labels of x are the reference, and one majority."""
    counts = np.array([[3, 0], [1, 2], [2, 1], [0, 3]])
    truth = np.array([0, 0, 1, 1])
    found = breakdown(["x", "x", "x", "y"], counts, truth, {}, of_references=True)
    x, y = found
    assert x.person.value == pytest.approx(5 / 9)
    assert (x.person.n, x.person.unit) == (9, "labels")
    assert x.majority is not None
    assert y.majority is not None
    assert (x.majority.correct, x.majority.compared) == (1, 3)
    assert (y.person.value, y.majority.correct, y.majority.compared) == (1.0, 1, 1)
    assert breakdown(["x"] * 4, counts, truth, {})[0].majority is None
