"""Whether a mean over items is 0: Student's t test (1908), over the sums of groups where items hang together."""

import numpy as np
from scipy.stats import t

from comparison.statistics.counts import Floats
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums


def p_of_sums(values: Floats, *, sample: Sample = ITEMS) -> float:
    """Two-sided, for `values` of shape (items,); 1 where one item or group is all there is, or all are 0.

    >>> round(p_of_sums(np.array([1.0, 2.0, 0.5, 1.5])), 3)
    0.03
    """
    sums = values if sample.clusters is None else cluster_sums(values[:, None], sample.clusters)[:, 0]
    if len(sums) < 2 or not sums.any():
        return 1.0
    error = float(np.sqrt(len(sums)) * sums.std(ddof=1))
    return float(2 * t.sf(abs(float(sums.sum())) / error, len(sums) - 1)) if error else 0.0
