"""One label by votes: ADEPT's rule, ties shared, and votes that weigh by how often a person agrees with the majority.

The weights are those of Wawa, worker agreement with aggregate (Appen; in crowd-kit `Wawa`): the share of a person's
labels that the plain vote gives too. Ties are shared there as well, so that no label is first by its place.
"""

from dataclasses import replace

import numpy as np

from comparison.statistics.aggregation.aggregate import NO_LABELS, Aggregate, agreement_with, undefined
from comparison.statistics.aggregation.majority import majority, no_majority
from comparison.statistics.counts import MISSING, Floats, Ints, count


def adept(items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """The majority where two agree and no other label is as frequent; other items have no label and no part.

    >>> items, raters = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 0, 1])
    >>> adept(items, raters, np.array([1, 1, 0, 0, 1]), size=2, values=2, people=3).codes.tolist()
    [1, -1]
    """
    counts = count(items, labels, size=size, values=values)
    if not len(labels):
        return Aggregate.none(NO_LABELS, size=size, values=values, raters=people)
    if nothing := no_majority(counts):
        return Aggregate.none(nothing, size=size, values=values, raters=people)
    codes = majority(counts)
    credit = np.where((codes != MISSING)[:, None], np.arange(values) == codes[:, None], False).astype(np.float64)
    found = Aggregate(codes, _shares(counts.astype(np.float64)), credit, np.zeros(people))
    return _with_agreement(found, items, raters, labels)


def ties_shared(items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """The most frequent label; labels that are as frequent share the item.

    >>> items, raters = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> ties_shared(items, raters, np.array([1, 0, 1]), size=2, values=2, people=2).credit.tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    if not len(labels):
        return Aggregate.none(NO_LABELS, size=size, values=values, raters=people)
    counts = count(items, labels, size=size, values=values).astype(np.float64)
    return _with_agreement(Aggregate.of(_shares(counts), np.zeros(people)), items, raters, labels)


def weighted(items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """The label with the most weight; `reliability` are the weights.

    On the second item one stands against one; the first of them is with the others more often:

    >>> items, raters = np.array([0, 0, 0, 1, 1, 2, 2, 2]), np.array([0, 1, 2, 0, 1, 0, 1, 2])
    >>> found = weighted(items, raters, np.array([0, 0, 0, 0, 1, 1, 0, 1]), size=3, values=2, people=3)
    >>> found.codes.tolist(), found.reliability.round(2).tolist()
    ([0, 0, 1], [0.83, 0.5, 1.0])
    """
    if nothing := undefined(items, raters, labels):
        return Aggregate.none(nothing, size=size, values=values, raters=people)
    weights = ties_shared(items, raters, labels, size=size, values=values, people=people).reliability
    cells = items * values + labels
    votes = np.bincount(cells, weights=weights[raters], minlength=size * values).astype(np.float64)
    return Aggregate.of(_shares(votes.reshape(size, values)), weights)


def _shares(votes: Floats) -> Floats:
    total = votes.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    return shares


def _with_agreement(found: Aggregate, items: Ints, raters: Ints, labels: Ints) -> Aggregate:
    people = len(found.reliability)
    return replace(found, reliability=agreement_with(found, items, raters, labels, size=people))
