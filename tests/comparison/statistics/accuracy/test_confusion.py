"""The confusion matrix, on numbers worked by hand."""

import numpy as np

from comparison.statistics.accuracy.confusion import confusion


def test_confusion_counts_row_shares_and_the_undecided():
    first, second = confusion(np.array([0, 1, 1, -1]), np.array([0, 0, 1, 1]), ["a", "b"])
    assert [(cell.count, cell.share, cell.heat) for cell in first.cells] == [(1, 0.5, 5), (1, 0.5, 5)]
    assert (second.total, second.undecided, second.cells[1].share) == (1, 1, 1.0)
    assert confusion(np.array([0]), np.array([0]), ["a", "b"])[1].cells[0].share is None
