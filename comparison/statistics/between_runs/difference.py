"""How much more often one run is right than another, on the items that both label.

The difference of two shares on the same items, with an interval by drawing items anew, both runs' answers together
(the paired bootstrap: Efron and Tibshirani 1993, section 16.4; Berg-Kirkpatrick, Burkett and Klein 2012 on its use
for language models). Two intervals that overlap say nothing of the difference: this one does.
"""

import numpy as np

from comparison.statistics.between_runs.mcnemar import NOTHING_SHARED
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import mean
from comparison.statistics.resampling.sample import ITEMS, Sample


def difference(one: Ints, other: Ints, truth: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """Accuracy of `one` less that of `other`, from -1 to 1, for codes of shape (items,); MISSING ones are left out.

    >>> truth = np.zeros(4, dtype=int)
    >>> difference(truth, np.array([0, 1, 1, MISSING]), truth).short
    '.7 [.0, 1.0]'
    """
    shared = (one != MISSING) & (other != MISSING) & (truth != MISSING)
    if not sample.size(shared):
        return Estimate.none(NOTHING_SHARED)
    leads = ((one == truth).astype(np.int64) - (other == truth))[shared]
    own = sample.where(shared)
    if own.clusters is not None:
        return mean(leads.astype(np.float64), sample=own)
    # A lead is -1, 0 or 1: however many items there are, they are three patterns.
    weights = np.bincount(leads + 1, weights=own.weights, minlength=3).astype(np.int64)
    return mean(np.array([-1.0, 0.0, 1.0]), sample=Sample(weights=weights))
