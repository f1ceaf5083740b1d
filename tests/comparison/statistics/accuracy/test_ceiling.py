"""The human ceiling, on numbers worked by hand."""

import numpy as np
import pandas as pd
import pytest

from comparison.frame.coded import coded, count_labels
from comparison.statistics.accuracy.ceiling import against_reference, by_annotator
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.person import one_annotator


def ceiling(counts: Ints) -> Estimate:
    """One person against the majority of the others."""
    return one_annotator(counts, np.zeros(len(counts), dtype=int), against="majority")


def test_the_ceiling_leaves_each_annotator_out_of_the_majority():
    # aaa: three labels, each against two that agree, all right. aab: only b has two that agree, and is wrong.
    found = ceiling(np.array([[3, 0], [2, 1]]))
    assert found.value == pytest.approx(3 / 4)
    assert (found.n, found.unit) == (4, "labels")
    assert ceiling(np.array([[1, 1], [2, 0]])).undefined == "no item has two agreeing labels of others"


def test_each_annotator_against_the_others():
    rows = [
        (item, rater, label)
        for item, labels in {"i": "aaa", "j": "aab"}.items()
        for rater, label in zip("xyz", labels, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"])
    counts = count_labels(frame, items=["i", "j"], values=["a", "b"])
    labels = coded(frame, items=["i", "j"], values=["a", "b"])
    found = {
        row.rater: (row.hits.correct, row.hits.compared)
        for row in by_annotator(labels.items, labels.raters, labels.labels, counts, names=labels.names)
    }
    assert found == {"x": (1, 1), "y": (1, 1), "z": (1, 2)}
    assert sum(c for c, _ in found.values()) / sum(n for _, n in found.values()) == pytest.approx(ceiling(counts).value)


def test_people_against_the_reference():
    found = against_reference(np.array([[3, 0], [1, 2], [1, 1]]), np.array([0, 1, -1]))
    assert found.value == pytest.approx(5 / 6)
    assert against_reference(np.zeros((1, 2), int), np.array([0])).undefined == "no labeled item has a reference"
