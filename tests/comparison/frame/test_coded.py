"""Labels as words become codes; and two ways to one table of counts."""

import pandas as pd
import pytest

from comparison.frame.coded import coded, codes, count_labels, count_tallies


def test_labels_off_the_scale_are_refused():
    with pytest.raises(ValueError, match="off the scale a, b: c"):
        codes(pd.Series(["a", "c"]), ["a", "b"])


FRAME = pd.DataFrame(
    [("i", "zoe", "a"), ("j", "ann", "b"), ("i", "ann", "a"), ("elsewhere", "bob", "a"), ("j", "zoe", None)],
    columns=["item", "rater", "label"],
)


def test_other_items_and_absent_labels_are_left_out():
    found = coded(FRAME, items=["i", "j"], values=["a", "b"])
    assert found.names == ("ann", "zoe")
    assert [*zip(found.items, found.raters, found.labels, strict=True)] == [(0, 1, 0), (1, 0, 1), (0, 0, 0)]


def test_labels_and_tallies_come_to_one_table():
    counts = count_labels(FRAME, items=["i", "j"], values=["a", "b"])
    assert counts.tolist() == [[2, 0], [0, 1]]
    assert (count_tallies([{"a": 2}, {"b": 1}], ["a", "b"]) == counts).all()
    assert count_tallies([], ["a", "b"]).shape == (0, 2)
