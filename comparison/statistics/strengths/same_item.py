"""Ratings of the same item: how many points two of them are apart, and ways to make one number of several.

Mean, median, and the mean of ratings in each annotator's own standard deviations (z-scores; Cowart 1997, section 7.2;
Schütze and Sprouse 2014), which takes off that one uses the scale higher, or wider, than another.
"""

import numpy as np

from comparison.statistics.counts import Floats, Ints

# Of two ratings.
STEPS = ("same point", "next point", "further apart")
MEAN, MEDIAN, STANDARD = "mean", "median", "z_scores"


def pairs_by_step(counts: Ints) -> Ints:
    """Of each item's pairs of ratings, how many are the same, neighbors and further apart, shape (items, 3).

    >>> pairs_by_step(np.array([[2, 1, 0, 1]])).tolist()
    [[1, 2, 3]]
    """
    many = counts.sum(axis=1)
    same = (counts * (counts - 1) // 2).sum(axis=1)
    beside = (counts[:, :-1] * counts[:, 1:]).sum(axis=1)
    return np.stack([same, beside, many * (many - 1) // 2 - same - beside], axis=1)


def median_rating(counts: Ints) -> Floats:
    """Each item's median, from 1; of an even number between the two in the middle. NaN without ratings.

    >>> median_rating(np.array([[2, 0, 1], [1, 0, 1], [0, 0, 0]])).tolist()
    [1.0, 2.0, nan]
    """
    many, up_to = counts.sum(axis=1, keepdims=True), np.cumsum(counts, axis=1)
    lower, upper = ((up_to <= place).sum(axis=1) for place in ((many - 1) // 2, many // 2))
    return np.where(many[:, 0] > 0, (lower + upper) / 2 + 1, np.nan)


def standard_rating(rows: Ints, raters: Ints, ratings: Floats, *, size: int) -> Floats:
    """Each item's mean of its ratings in their annotators' own deviations; one who gives one rating only tells nothing.

    >>> rows, raters = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> standard_rating(rows, raters, np.array([1.0, 2.0, 4.0, 7.0]), size=3).tolist()
    [-1.0, 1.0, nan]
    """
    people = int(raters.max(initial=-1)) + 1
    many = np.maximum(np.bincount(raters, minlength=people), 1)
    away = ratings - (np.bincount(raters, weights=ratings, minlength=people) / many)[raters]
    spread = np.sqrt(np.bincount(raters, weights=away**2, minlength=people) / many)[raters]
    told = (spread > 0) & (rows >= 0)
    sums = np.bincount(rows[told], weights=away[told] / spread[told], minlength=size)
    given = np.bincount(rows[told], minlength=size)
    found: Floats = np.divide(sums, given, out=np.full(size, np.nan), where=given > 0)
    return found
