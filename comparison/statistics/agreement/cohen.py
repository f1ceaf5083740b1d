"""Cohen's κ of two raters who labeled the same items, plain or weighted."""

from collections.abc import Callable

import numpy as np

from comparison.statistics.agreement.chance import beyond_chance
from comparison.statistics.agreement.coefficient import NO_PAIRS, ONE_LABEL
from comparison.statistics.agreement.weights import Weighting, weight_matrix
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample, table_cells


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
