"""Two runs alone by a study's measure: what each reaches, and the difference, on the items that both answer.

Both are drawn with the same items (the paired bootstrap of pairs.py, for any measure). Two ρ are
drawn as the verdict draws them (ranked.py), with one column of ratings or, of two studies, with two.
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import NOTHING_SHARED, difference
from comparison.statistics.resampling.bootstrap import drawn_sums, with_interval
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import spearman
from comparison.statistics.verdict.measure import ACCURACY, Measure
from comparison.statistics.verdict.ranked import drawn_rhos

Ranked = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Two:
    """`difference` is that of the first less the other; `left_out`: items with a truth that one of them lacks.

    `leads`: 1 where the interval says that the first is nearer, -1 the other, 0 where it says neither.
    """

    one: Estimate
    other: Estimate
    difference: Estimate
    left_out: int
    leads: int


def two(one: Ints, other: Ints, truth: Ints, *, by: Measure, values: int, sample: Sample = ITEMS) -> Two:
    """Codes of shape (items,); MISSING ones are left out.

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> truth = np.arange(40) % 4
    >>> found = two(truth, np.maximum(truth - 1, 0), truth, by=measure_of("distance", ordered=True), values=4)
    >>> str(found.one), str(found.other), found.difference.short, found.leads
    ('.00, n = 40', '.75 [.63, .88], n = 40', '−.75 [−.88, −.63]', 1)
    """
    known = truth != MISSING
    shared = known & (one != MISSING) & (other != MISSING)
    n = sample.size(shared)
    left_out = sample.size(known) - n
    if not n:
        none = Estimate.none(NOTHING_SHARED)
        return Two(none, none, none, left_out, 0)
    first, second, true, own = one[shared], other[shared], truth[shared], sample.where(shared)
    if by.key == ACCURACY:
        reached, beside = (accuracy(codes, true, sample=own).accuracy for codes in (first, second))
        return _two(reached, beside, difference(first, second, true, sample=own), left_out, sign=1)
    columns = np.hstack([by.columns(codes, true, values) for codes in (first, second)])
    total, drawn = drawn_sums(columns, own)
    sums, width = np.vstack([total[None], drawn]), columns.shape[1] // 2
    each = [by.of_sums(sums[:, at : at + width]) for at in (0, width)]
    reached, beside, apart = (_drawn(float(column[0]), column[1:], own, n=n) for column in (*each, each[0] - each[1]))
    return _two(reached, beside, apart, left_out, sign=by.sign)


def two_ranked(one: Ranked, other: Ranked, *, sample: Sample = ITEMS) -> Two:
    """By ρ: of each its scores and the ratings they are compared with, NaN where there is none.

    >>> ratings = np.arange(40.0)
    >>> found = two_ranked((ratings**3, ratings), (-ratings, ratings))
    >>> str(found.one.value), str(found.other.value), found.difference.value, found.left_out
    ('1.0', '-1.0', 2.0, 0)
    """
    known = np.isfinite(one[1]) & np.isfinite(other[1])
    shared = known & np.isfinite(one[0]) & np.isfinite(other[0])
    n, own = sample.size(shared), sample.where(shared)
    left_out = sample.size(known) - n
    pairs = [(scores[shared], ratings[shared]) for scores, ratings in (one, other)]
    reached, beside = (spearman(*pair, sample=own) for pair in pairs)
    if reached.value is None or beside.value is None:
        return Two(reached, beside, Estimate.none(reached.undefined or beside.undefined, n=n), left_out, 0)
    drawn = drawn_rhos(pairs, np.array([reached.value, beside.value]), own)
    apart = _drawn(reached.value - beside.value, drawn[:, 0] - drawn[:, 1], own, n=n)
    return _two(reached, beside, apart, left_out, sign=1)


def _drawn(value: float, drawn: Floats, sample: Sample, *, n: int) -> Estimate:
    units = n if sample.clusters is None else len(np.unique(sample.clusters))
    return with_interval(value, drawn, items=units, n=n, expanded=sample.clusters is not None)


def _two(one: Estimate, other: Estimate, apart: Estimate, left_out: int, *, sign: int) -> Two:
    leads = 0
    if apart.low is not None and apart.high is not None:
        leads = sign * (int(apart.low > 0) - int(apart.high < 0))
    return Two(one, other, apart, left_out, leads)
