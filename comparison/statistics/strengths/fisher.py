"""The interval of a correlation by Fisher's z = atanh r (Fisher 1921), for items one by one or in groups.

Two standard errors are at hand: that of a formula, which knows how few items there are and supposes their shape, and
that of what each item adds to the correlation (its influence: Hampel 1974; Efron and Tibshirani 1993, section 22.6),
which supposes no shape and is small where items are few. The wider interval of both is taken.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.stats import norm, t

from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.clusters import NO_EFFECT, design_effect
from comparison.statistics.resampling.sample import Sample, cluster_sums

# A formula's standard error, of as many items as these are worth; infinite where they are too few for it.
Formula = Callable[[float], float]


def with_interval(value: float, influence: Floats, formula: Formula, *, sample: Sample) -> Estimate:
    """`value` between −1 and 1 over as many items as there are influences, whose mean is 0."""
    n = len(influence)
    if abs(value) >= 1:
        return Estimate(
            math.copysign(1.0, value),
            n=n,
            no_interval="the two go together without exception" if value > 0 else "one is the other reversed",
        )
    effect = NO_EFFECT if sample.clusters is None else design_effect(influence, sample.clusters)
    if effect.undefined:
        return Estimate(value, n=n, no_interval=effect.undefined)
    sums = influence if sample.clusters is None else cluster_sums(influence[:, None], sample.clusters)[:, 0]
    units = len(sums)
    by_shape = formula(n / effect.value)
    if not math.isfinite(by_shape):
        return Estimate(value, n=n, no_interval="there are too few items, or they are worth too few")
    spread = math.sqrt(units / (units - 1) * float((sums**2).sum())) / n
    by_influence = float(t.ppf(0.975, units - 1)) * spread / (1 - value**2)
    reach = max(float(norm.isf(effect.alpha / 2)) * by_shape, by_influence)
    z = math.atanh(value)
    return Estimate(value, math.tanh(z - reach), math.tanh(z + reach), n=n, note=effect.words)


def standard(column: Floats) -> Floats:
    """With mean 0 and deviation 1.

    >>> standard(np.array([1.0, 2.0, 3.0])).round(2).tolist()
    [-1.22, 0.0, 1.22]
    """
    return np.asarray((column - column.mean()) / column.std())
