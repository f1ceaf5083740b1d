"""Cohen's κ of two raters who labeled the same items, plain or weighted.

Agreement of annotators with themselves: the same person, the same item, another time (intra-rater agreement).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.agreement.coefficient import (
    NO_PAIRS,
    ONE_LABEL,
    Weighting,
    beyond_chance,
    ratio,
    weight_matrix,
)
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample, table_cells
from comparison.statistics.wilson import where_all_agree


def cohen(
    one: Ints, other: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    """κ of two columns of codes (Cohen 1960; weighted: Cohen 1968, Psychological Bulletin 70: 213–220).

    Items that one of the two left out are left out. Chance is that of the two raters' own shares of the labels.

    >>> one, other = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 2, 1])
    >>> [round(cohen(one, other, values=3, weighting=how).value, 3) for how in ("identity", "linear", "quadratic")]
    [0.444, 0.545, 0.667]
    """
    weights = weight_matrix(weighting, values=values)
    return of_two(one, other, lambda tables: kappa_of_tables(tables, weights), values=values, sample=sample)


def kappa_of_tables(tables: Floats, weights: Floats) -> Floats:
    """κ of each table (…, values, values): one rater's labels down, the other's across. NaN where undefined.

    >>> kappa_of_tables(np.array([[[20.0, 5.0], [10.0, 15.0]]]), np.eye(2)).round(3).tolist()
    [0.4]
    """
    totals = tables.sum(axis=(-2, -1))
    observed = (tables * weights).sum(axis=(-2, -1)) / totals
    down, across = tables.sum(axis=-1), tables.sum(axis=-2)
    return beyond_chance(observed, ((down @ weights) * across).sum(axis=-1) / totals**2)


def of_two(
    one: Ints, other: Ints, of_tables: Callable[[Floats], Floats], *, values: int, sample: Sample = ITEMS
) -> Estimate:
    """What `of_tables` makes of the table of two raters' codes, with an interval by drawing items anew.

    >>> found = of_two(np.array([0, 1]), np.array([0, MISSING]), lambda tables: tables.sum(axis=(1, 2)), values=2)
    >>> found.value, found.n
    (1.0, 1)
    """
    both = (one != MISSING) & (other != MISSING)
    n = sample.size(both)
    if not n:
        return Estimate.none(NO_PAIRS)
    codes = one[both] * values + other[both]
    cells, own = table_cells(codes, size=values * values, sample=sample.where(both))

    def of_sums(sums: Floats) -> Floats:
        return of_tables(sums.reshape(len(sums), values, values))

    value = float(of_sums(own.sums(cells)[None])[0])
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=n)
    return estimate(value, cells, of_sums, n=n, sample=own)


NO_REPEATS = "no one has labeled an item twice"
# From this many annotators on, they are what is drawn anew: what one repeats hangs together.
ENOUGH_RATERS = 10


@dataclass(frozen=True, slots=True)
class Repeats:
    """How often a label was given again, and how far beyond chance; both of repeats."""

    percent: Estimate
    kappa: Estimate


def repeated(items: Ints, raters: Ints, labels: Ints, *, values: int, weighting: Weighting = "identity") -> Repeats:
    """Labels one by one in the order of time; each is compared with the same rater's one before on the same item.

    κ is Cohen's of all earlier against all later labels, so that it tells whether people keep to their labels and not
    whether their shares of labels differ from one another's. Whole annotators are drawn for the intervals where there
    are ENOUGH_RATERS who repeat, repeats one by one otherwise.

    Two people see three items twice; one of six labels changes:

    >>> items, raters = np.tile([0, 1, 2], 4), np.repeat([0, 1, 0, 1], 3)
    >>> found = repeated(items, raters, np.array([0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]), values=2)
    >>> round(found.percent.value, 3), round(found.kappa.value, 3), found.percent.n, found.percent.unit
    (0.833, 0.667, 6, 'repeats')
    """
    there = (items != MISSING) & (labels != MISSING)
    items, raters, labels = items[there], raters[there], labels[there]
    order = np.lexsort((np.arange(len(items)), items, raters))
    item, rater, label = items[order], raters[order], labels[order]
    again = np.flatnonzero((item[1:] == item[:-1]) & (rater[1:] == rater[:-1]))
    if not len(again):
        return Repeats(Estimate.none(NO_REPEATS, unit="repeats"), Estimate.none(NO_REPEATS, unit="repeats"))
    cells = np.eye(values * values)[label[again] * values + label[again + 1]]
    people = len(np.unique(rater[again]))
    sample = Sample(clusters=rater[again]) if people >= ENOUGH_RATERS else ITEMS
    note = f"{people:,} annotator{'s' if people != 1 else ''}"
    weights = weight_matrix(weighting, values=values)

    def same(sums: Floats) -> Floats:
        return ratio(sums @ np.eye(values).ravel(), sums.sum(axis=1))

    def kappa(sums: Floats) -> Floats:
        return kappa_of_tables(sums.reshape(len(sums), values, values), weights)

    percent = _of_cells(cells, same, note=note, sample=sample)
    drawn = ("annotators", people) if people >= ENOUGH_RATERS else ("repeats", len(cells))
    percent = where_all_agree(percent, units=drawn[1], called=drawn[0])
    return Repeats(percent, _of_cells(cells, kappa, note=note, sample=sample))


def _of_cells(cells: Floats, statistic: Callable[[Floats], Floats], *, note: str, sample: Sample) -> Estimate:
    value = float(statistic(cells.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=len(cells), unit="repeats")
    return replace(estimate(value, cells, statistic, n=len(cells), note=note, sample=sample), unit="repeats")
