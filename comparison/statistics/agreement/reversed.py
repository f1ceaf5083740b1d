"""Annotators whose labels run against the others', as where a scale was read upside down.

Each one's labels, as places on the scale, are correlated with the mean of the item's other labels. The lowest is tested
first, with as many tests as annotators. If it is shown to be below 0, its labels are taken out and the others are
correlated anew, with one test fewer (Holm 1979): where one of three people has the scale upside down, the other two
have one who is right and one who is not for others. Where half of all would be named, nobody is: it cannot be said
which half is right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.agreement.coded_labels import numbered
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample, Z
from comparison.statistics.strengths.correlation import pairs, pearson

LEVEL = 0.05
# Of two it cannot be said who has the scale upside down; on fewer items nothing is asked.
FEWEST_PEOPLE, FEWEST_ITEMS = 3, 10


@dataclass(frozen=True, slots=True)
class Reversed:
    """One annotator, and Pearson's r of their labels with the mean of the others'."""

    rater: int
    r: Estimate


def run_against(rows: Ints, raters: Ints, labels: Ints, *, sample: Sample = ITEMS) -> tuple[Reversed, ...]:
    """Of labels one by one: row, rater and place on the scale.

    >>> rng = np.random.default_rng(1)
    >>> truth, rows, raters = rng.integers(5, size=60), np.repeat(np.arange(60), 3), np.tile(np.arange(3), 60)
    >>> labels = np.clip(truth[rows] + rng.integers(-1, 2, size=180), 0, 4)
    >>> [one] = run_against(rows, raters, np.where(raters == 2, 4 - labels, labels))
    >>> one.rater, str(one.r)
    (2, '−.78 [−.86, −.65], n = 60')
    """
    numbers, rater = numbered(raters)
    left, found = np.ones(len(rows), dtype=bool), list[Reversed]()
    while len(numbers) >= FEWEST_PEOPLE:
        others = mean_of_others(rows, labels, left)
        heard = np.isfinite(others)
        r, items = _correlations(rater[heard], labels[heard], others[heard], people=len(numbers))
        asked = np.isfinite(r) & (items >= FEWEST_ITEMS)
        r = np.where(asked, np.clip(r, -1 + 1e-9, 0), 0.0)
        below = np.arctanh(r) * np.sqrt(np.maximum(items - 3, 0))
        lowest = int(below.argmin())
        if below[lowest] >= 0:
            break
        own = heard & (rater == lowest)
        clusters = None if sample.clusters is None else sample.clusters[rows[own]]
        one = pearson(pairs(labels[own].astype(np.float64), others[own]), sample=Sample(clusters=clusters))
        if not _chance_of(one) * asked.sum() <= LEVEL:
            break
        found.append(Reversed(int(numbers[lowest]), one))
        if 2 * len(found) >= len(numbers):
            return ()
        left &= rater != lowest
    return tuple(found)


def mean_of_others(rows: Ints, labels: Ints, left: NDArray[np.bool_]) -> Floats:
    """Of each label's item; NaN where there are no others, or the label itself is taken out."""
    sums = np.bincount(rows, weights=labels * left)
    others = np.bincount(rows, weights=left)[rows] - 1
    there = left & (others > 0)
    found: Floats = np.divide(sums[rows] - labels, others, out=np.full(len(rows), np.nan), where=there)
    return found


def _correlations(rater: Ints, labels: Ints, others: Floats, *, people: int) -> tuple[Floats, Floats]:
    """Each one's r, NaN where there is none, and on how many items."""
    items = np.bincount(rater, minlength=people).astype(np.float64)

    def centered(column: Floats | Ints) -> Floats:
        mean = np.bincount(rater, weights=column, minlength=people) / np.maximum(items, 1)
        return np.asarray(column - mean[rater])

    one, other = centered(labels), centered(others)
    with_others, own, of_others = (
        np.bincount(rater, weights=product, minlength=people) for product in (one * other, one**2, other**2)
    )
    spread = np.sqrt(own * of_others)
    return np.divide(with_others, spread, out=np.full(people, np.nan), where=spread > 1e-9), items


def _chance_of(r: Estimate) -> float:
    """Two-sided, by the standard error of the interval; 1 where there is none."""
    if r.value is None or r.low is None:
        return float(r.value != -1)
    z = float(np.arctanh(r.value))
    return float(2 * tails.of_t(abs(z) * Z / (z - float(np.arctanh(r.low))), r.n - 2))
