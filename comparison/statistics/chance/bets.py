"""Whether groups' sums are above 0 on average, whatever their shape: by betting (Waudby-Smith and Ramdas 2024).

Who bets a share of the stake on every group in turn, at odds that are fair by chance, has no more at the end than at
the start, on average: the wealth is an e-value, and by Markov's inequality 1 / wealth is a p (Journal of the Royal
Statistical Society B 86: 1–27; Vovk and Wang 2021, Annals of Statistics 49: 1736–1754). It holds for any number of
groups, of any sizes, that hang together in any way; a t test over groups takes one answer a group for certainty. The
price is power: about as much as a t test at a sixth of its level has.

Stakes are set before any answer is seen, from what chance does to the items alone: those that gain most where items of
a group hang together wholly, and not at all, and between; the wealth is the mean over them.
"""

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.sample import cluster_sums

# A stake of √(2 ln(1 / level)) standard deviations passes the level soonest; for .05, alone and as one of many runs.
SOONEST, STEEPEST = 2.45, 3.45
STAKES = 12
# Of what one may stake without being ruined by one group.
MOST = 0.99


def of_groups(gains: Floats, least: Floats, spread: Floats, clusters: Ints) -> float:
    """p that `gains`, one an item, are above 0 on average; by chance each is 0 on average and `spread` its deviation.

    `least`: what the item gains at worst, below 0. One group alone says nothing.

    Eight of eight groups that are right in a choice of two, and as many that are wrong:

    >>> ones, eight = np.ones(16), np.arange(16) // 2
    >>> [round(of_groups(side * ones / 2, -ones / 2, ones / 2, eight), 3) for side in (1, -1)]
    [0.004, 1.0]
    """
    sums = cluster_sums(np.column_stack([gains, least, spread, spread**2]), clusters)
    if len(sums) < 2:
        return 1.0
    apart, together = float(sums[:, 3].sum()) ** 0.5, float((sums[:, 2] ** 2).sum()) ** 0.5
    wealth = [
        float(np.log1p(np.minimum(stake, MOST / -sums[:, 1]) * sums[:, 0]).sum())
        for stake in np.geomspace(SOONEST / together, STEEPEST / apart, STAKES)
    ]
    return float(min(1.0, np.exp(-(np.logaddexp.reduce(wealth) - np.log(STAKES)))))
