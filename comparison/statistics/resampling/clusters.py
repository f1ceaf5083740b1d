"""What items are worth that hang together: the design effect of a share over clusters (Kish 1965, section 8.2).

Items made from one sentence, or of one paradigm, are right and wrong together, and an interval that takes each for
itself is too narrow. The effect is the variance of the share over clusters (linearized, as of a ratio: Cochran 1977,
equation 11.12 with all clusters of one stratum) over that of as many items drawn one by one.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm, t

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import rounded
from comparison.statistics.resampling.sample import cluster_sums

LEVEL = 0.05
ONE_GROUP = "all items are of one group"


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """n over `value` is what the items are worth. `alpha`: the level that makes up for few `clusters`.

    `clusters` is 0 where each item stands for itself; `undefined` says why there is no effect.
    """

    value: float = 1.0
    clusters: int = 0
    alpha: float = LEVEL
    undefined: str = ""

    @property
    def words(self) -> str:
        if not self.clusters:
            return ""
        return f"items of {self.clusters:,} groups, design effect {rounded(self.value, decimals=1)}"


NO_EFFECT = DesignEffect()


def design_effect(values: Floats, clusters: Ints) -> DesignEffect:
    """The effect on the mean of `values`, one an item (a share, where they are 0 or 1).

    At least 1, as chance may put it lower (Korn and Graubard 1998). Where all values are the same nothing can be seen,
    and items of a cluster count as one.

    Two clusters of two that are right and wrong together:

    >>> found = design_effect(np.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1, 2, 2]))
    >>> round(found.value, 6), found.clusters
    (3.0, 3)
    """
    n = len(values)
    share = values.mean()
    sums = cluster_sums(np.column_stack([values - share, np.ones(n)]), clusters)
    groups = len(sums)
    if groups == n:
        return NO_EFFECT
    if groups < 2:
        return DesignEffect(clusters=groups, undefined=ONE_GROUP)
    alone = float(values.var())
    if alone > 0:
        value = max(1.0, float(groups / (groups - 1) * (sums[:, 0] ** 2).sum() / n / alone))
    else:
        value = float((sums[:, 1] ** 2).sum() / n)
    alpha = float(2 * norm.sf(t.ppf(1 - LEVEL / 2, groups - 1)))
    return DesignEffect(value, groups, alpha)


def worth_of_groups(clusters: Ints) -> float:
    """How many groups of one size say as much as these: (Σn)² / Σn² (Kish 1965), so that one large group is no crowd.

    >>> worth_of_groups(np.array([0, 0, 1, 1])), round(worth_of_groups(np.array([0, 0, 0, 0, 1, 2])), 1)
    (2.0, 2.0)
    """
    sizes = np.unique(clusters, return_counts=True)[1].astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes**2).sum())
