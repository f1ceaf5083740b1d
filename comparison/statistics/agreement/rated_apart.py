"""Annotators whose ratings go with the others' far less than the others' do with one another.

A careful rater may use the scale a point lower than the rest, or only its middle. So each one's level is taken off
(that of an additive model of items and raters) and the rest is put in that one's own deviations; what is left is
multiplied with the mean of the others' on the same item. If nobody differs from the rest, this one's part of an item
may be anybody's, so that the sum is one of independent draws, one an item. Its distribution is taken from its first
three moments (Pearson's type III; Mielke and Berry 2007, Permutation Methods, section 2.3). Of groups of items,
Student's t over their sums stands beside, and the larger p counts. Holm's correction is over all who are tested.

Raters differ a little, and many ratings show that. Named is therefore only who has less than half of what is to be
expected on these items.
"""

import numpy as np
import scipy as sp

from comparison.statistics import tails
from comparison.statistics.agreement.coded_labels import numbered
from comparison.statistics.chance import holm
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

LEVEL = 0.05
# On fewer items nothing is asked, and of two people it cannot be said who differs.
FEWEST_ITEMS, FEWEST_PEOPLE = 10, 3
HALF = 0.5
# The additive model is fitted by turns; after so many nothing moves.
TURNS = 25


def rate_apart(rows: Ints, raters: Ints, ratings: Ints, *, sample: Sample = ITEMS) -> tuple[int, ...]:
    """The numbers of those who rate unlike the others, by row, rater and place on the scale.

    Of five people, one is a point lower than the rest and one answers by lot:

    >>> rng = np.random.default_rng(1)
    >>> truth, rows, raters = rng.integers(2, 6, size=60), np.repeat(np.arange(60), 5), np.tile(np.arange(5), 60)
    >>> ratings = truth[rows] + rng.integers(-1, 2, size=300) - (raters == 3)
    >>> rate_apart(rows, raters, np.where(raters == 4, rng.integers(7, size=300), ratings))
    (4,)
    """
    numbers, rater = numbered(raters)
    if len(numbers) < FEWEST_PEOPLE:
        return ()
    _, row = np.unique(rows, return_inverse=True)
    heard = np.bincount(row)[row] > 1
    clusters = None if sample.clusters is None else sample.clusters[rows][heard]
    row, rater = np.unique(row[heard], return_inverse=True)[1], rater[heard]
    shared, expected, spread, third = _shared(row, _standing(row, rater, ratings[heard], len(numbers)))
    found = {}
    for one in np.flatnonzero(np.bincount(rater, minlength=len(numbers)) >= FEWEST_ITEMS):
        own = rater == one
        wanted = float(expected[own].sum())
        p = _chance(shared[own].sum() - wanted, float(spread[own].sum()), float(third[own].sum()))
        if clusters is not None:
            p = max(p, _over_groups(shared[own] - expected[own], clusters[own]))
        found[int(one)] = (p, bool(shared[own].sum() < HALF * wanted))
    held = holm([p for p, _ in found.values()])
    named = [one for (one, (_, is_low)), p in zip(found.items(), held, strict=True) if p <= LEVEL and is_low]
    return tuple(int(numbers[one]) for one in named)


def raters_to_rate_apart(rows: Ints, raters: Ints) -> Ints:
    """The numbers of those of whom `rate_apart` asks: of three people or more, who share enough items with others.

    >>> raters_to_rate_apart(np.repeat(np.arange(10), 3), np.tile([4, 5, 6], 10)).tolist()
    [4, 5, 6]
    """
    numbers, rater = numbered(raters)
    if len(numbers) < FEWEST_PEOPLE:
        return numbers[:0]
    _, row = np.unique(rows, return_inverse=True)
    heard = np.bincount(row)[row] > 1
    return np.asarray(numbers[np.bincount(rater[heard], minlength=len(numbers)) >= FEWEST_ITEMS])


def _standing(row: Ints, rater: Ints, ratings: Ints, people: int) -> Floats:
    """Each rating without its rater's level, in that rater's own deviations; 0 of one who gives one rating only."""
    items, many = np.maximum(np.bincount(row), 1), np.maximum(np.bincount(rater, minlength=people), 1)
    level = np.zeros(people)
    for _ in range(TURNS):
        of_items = np.bincount(row, weights=ratings - level[rater]) / items
        level = np.bincount(rater, weights=ratings - of_items[row], minlength=people) / many
        level -= np.average(level, weights=many)
    means = np.bincount(rater, weights=ratings, minlength=people) / many
    own = np.bincount(rater, weights=(ratings - means[rater]) ** 2, minlength=people) / many
    away = ratings - level[rater]
    deviation = np.sqrt(own)[rater]
    found: Floats = np.divide(away - away.mean(), deviation, out=np.zeros(len(row)), where=deviation > 1e-9)
    return found


def _shared(row: Ints, standing: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each rating, its product with the mean of the others'; and of its item, the first three central moments."""
    many = np.bincount(row)
    others = (np.bincount(row, weights=standing)[row] - standing) / (many[row] - 1)
    shared = standing * others
    mean = (np.bincount(row, weights=shared) / many)[row]
    second, third = ((np.bincount(row, weights=(shared - mean) ** power) / many)[row] for power in (2, 3))
    return shared, mean, second, third


def _chance(away: float, variance: float, third: float) -> float:
    """The probability of a sum as far below what is expected, or further."""
    if variance <= 0:
        return 1.0
    z, skew = away / variance**0.5, third / variance**1.5
    return float(tails.of_normal(-z) if abs(skew) < 1e-6 else sp.stats.pearson3.cdf(z, skew))


def _over_groups(away: Floats, clusters: Ints) -> float:
    sums = cluster_sums(away[:, None], clusters)[:, 0]
    spread = float(sums.std(ddof=1)) * len(sums) ** 0.5 if len(sums) > 1 else 0.0
    return float(tails.of_t(-(sums.sum() / spread), len(sums) - 1)) if spread > 0 else 1.0
