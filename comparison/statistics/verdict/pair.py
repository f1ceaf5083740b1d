"""Two runs alone by a study's measure: what each reaches, and the difference, on the items that both label.

Both are drawn with the same items (the paired bootstrap of between_runs/difference.py, for any measure).
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.between_runs.difference import difference
from comparison.statistics.between_runs.mcnemar import NOTHING_SHARED
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import with_interval
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.drawing import drawn_sums
from comparison.statistics.verdict.measure import ACCURACY, Measure


@dataclass(frozen=True, slots=True)
class Two:
    """`difference` is that of the first less the other; `left_out`: items with a truth that one of them does not label.

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
    units = n if own.clusters is None else len(np.unique(own.clusters))
    reached, beside, apart = (
        with_interval(float(column[0]), column[1:], items=units, n=n, expanded=own.clusters is not None)
        for column in (*each, each[0] - each[1])
    )
    return _two(reached, beside, apart, left_out, sign=by.sign)


def _two(one: Estimate, other: Estimate, apart: Estimate, left_out: int, *, sign: int) -> Two:
    leads = 0
    if apart.low is not None and apart.high is not None:
        leads = sign * (int(apart.low > 0) - int(apart.high < 0))
    return Two(one, other, apart, left_out, leads)
