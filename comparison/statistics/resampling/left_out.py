"""Intervals by leaving out one item, one cluster or one annotator at a time (Tukey 1958; Efron and Stein 1981).

For figures that a thousand draws would be too costly for, and for annotators: an annotator drawn twice would agree with
themself, one that is left out only is not there. The interval is Student's, with one degree of freedom less than there
are units (Efron and Tibshirani 1993, chapter 11).
"""

import numpy as np

from comparison.statistics import tails
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import ENOUGH, MEANINGFUL_WIDTH

LEVEL = 0.05


def variance(left_out: Floats, counts: Ints | None = None) -> float:
    """The jackknife's variance of a figure, from its values with each unit left out; `counts`: how many units each is.

    Of a mean it is the known one, s² / n; values that are undefined are left aside, NaN where too many are.

    >>> numbers = np.array([1.0, 2.0, 3.0, 6.0])
    >>> round(variance((numbers.sum() - numbers) / 3), 4), round(float(numbers.var(ddof=1) / 4), 4)
    (1.1667, 1.1667)
    """
    each = np.ones(len(left_out)) if counts is None else counts.astype(np.float64)
    defined = np.isfinite(left_out)
    units, known = each.sum(), each[defined].sum()
    if units < 2 or known < ENOUGH * units:
        return float("nan")
    values, weights = left_out[defined], each[defined]
    middle = np.average(values, weights=weights)
    return float((units - 1) * np.average((values - middle) ** 2, weights=weights))


def with_t(value: float, spread: float, *, units: int, n: int, called: str = "items", note: str = "") -> Estimate:
    """`value`, at most 1, with Student's 95 % interval from its variance, or why there is none.

    >>> str(with_t(0.5, 0.01, units=30, n=30))
    '.50 [.30, .70], n = 30'
    """
    reason = ""
    if units < 2:
        reason = f"fewer than two {called}"
    elif not np.isfinite(spread):
        reason = f"no value without some of the {called}"
    else:
        half = float(tails.t_of(LEVEL / 2, units - 1) * np.sqrt(spread))
        if half > MEANINGFUL_WIDTH:
            # A coefficient of agreement is never above 1.
            return Estimate(value, value - half, max(value, min(1.0, value + half)), n=n, note=note)
        reason = f"the value is the same without any one of the {called}"
    return Estimate(value, n=n, no_interval=reason, note=note)
