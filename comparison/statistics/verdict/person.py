"""One person's labels and a run's, held against the same: what the others agree on, or the reference.

Each label of an item is left out in turn, and both it and the run's are held against the majority of the others. So the
two are compared like for like, though the majority of all labels, against which runs stand elsewhere, is a little
better than that of all but one.
"""

import numpy as np

from comparison.statistics.aggregation.majority import majority, of_the_others
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.verdict.evidence import MAJORITY
from comparison.statistics.verdict.measure import Measure


def beside_person(
    measure: Measure, counts: Ints, truth: Ints, decided: list[Ints], *, against: str
) -> tuple[Floats, list[Floats]]:
    """The measure's columns of people's labels, shape (rows, m), and of each run on as many.

    Of three labels, the two that agree leave two others that do not, and the third is held against them; the run too:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> by, counts, truth = measure_of("accuracy", ordered=False), np.array([[2, 1]]), np.array([0])
    >>> one, runs = beside_person(by, counts, truth, [np.array([0])], against="majority")
    >>> one.tolist(), runs[0].tolist()
    ([[0.0, 1.0]], [[1.0, 1.0]])
    """
    values = counts.shape[1]
    width = measure.columns(truth[:0], truth[:0], values).shape[1]
    person, runs = np.zeros((len(counts), width)), [np.zeros((len(counts), width)) for _ in decided]
    for value in range(values):
        given = counts[:, value, None]
        others = truth
        if against == MAJORITY:
            left = counts.copy()
            left[:, value] = np.maximum(counts[:, value] - 1, 0)
            others = majority(left)
        person += given * measure.columns(np.full_like(truth, value), others, values)
        for columns, labels in zip(runs, decided, strict=True):
            columns += given * measure.columns(labels, others, values)
    return person, runs


def held_labels(counts: Ints, truth: Ints, *, against: str) -> Ints:
    """How many labels of each row are held against anything, shape (rows,): fewer than there are, where others tie.

    >>> held_labels(np.array([[2, 1], [2, 0], [1, 1]]), np.array([0, 0, -1]), against="majority").tolist()
    [1, 0, 0]
    """
    if against != MAJORITY:
        return np.where(truth != MISSING, counts.sum(axis=1), 0)
    held = np.zeros(len(counts), dtype=np.int64)
    for _, given, agreed in of_the_others(counts):
        held += np.where(agreed != MISSING, given, 0)
    return held
