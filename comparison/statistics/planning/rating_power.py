"""How likely a study of ratings is to show something, before anybody has labeled: from what is assumed.

The model: every item has a true rating, and each label is that with an error of its own. The mean of k labels is as
reliable as Spearman and Brown say by the reliability of one (the intraclass correlation; α of intervals is close to
it), and a correlation with it is weaker than one with the true ratings by the root of that. Models have to do with
each other only through the true ratings.

Tests are two-sided: ρ by Fisher's z with the standard error of Bonett and Wright (2000, equation 4), as intervals are
elsewhere; two ρ with the same ratings by Meng, Rosenthal and Rubin (1992, equation 1); a difference between the means
of two kinds of items, half of the items each, by Student's t.
"""

from dataclasses import dataclass
from math import atanh, sqrt
from typing import ClassVar

import numpy as np
import scipy as sp

from comparison.statistics.agreement.alpha import spearman_brown
from comparison.statistics.planning.power import LEVEL, Power

FEWEST = 5
# Of Fisher's z, which has no value for a correlation of 1.
MOST = 0.999


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedRatings:
    """`agreement`: the reliability of one label. `first`, `second`: ρ of two models with the true ratings, the second
    perhaps None. `difference` between the means of two kinds of items, in standard deviations of the true ratings
    within a kind: where it is given, the plan is for that and not for models.
    """

    NAMES: ClassVar = ("agreement", "first", "second", "difference")
    ABOVE: ClassVar = "power_above_zero"

    agreement: float
    first: float
    second: float | None
    difference: float | None = None

    @property
    def is_apart(self) -> bool:
        return self.second is not None and self.difference is None

    @property
    def aim(self) -> str:
        if self.difference is not None:
            return "show a difference in means"
        return "separate two models" if self.is_apart else "show that ρ is above 0"

    def reached(self, true: float, labels: int) -> float:
        """What such a ρ, or difference, is with the mean of so many labels.

        >>> round(AssumedRatings(agreement=0.5, first=0.6, second=None).reached(0.6, 3), 3)
        0.52
        """
        return true * sqrt(spearman_brown(max(self.agreement, 0.0), labels))

    def power(self, *, items: int, labels: int) -> Power:
        """
        >>> found = AssumedRatings(agreement=0.5, first=0.6, second=0.4).power(items=100, labels=3)
        >>> round(found.above, 2), round(found.apart, 2)
        (1.0, 0.36)
        """
        if items < FEWEST:
            return Power(items, labels, None, None)
        if self.difference is not None:
            return Power(items, labels, _of_means(self.reached(self.difference, labels), items), None)
        first = _kept(self.reached(self.first, labels))
        above = _beyond(atanh(first) * sqrt((items - 3) / (1 + first**2 / 2)))
        if self.second is None:
            return Power(items, labels, above, None)
        second = _kept(self.reached(self.second, labels))
        return Power(items, labels, above, _two(first, second, self.first * self.second, items))


def _kept(rho: float) -> float:
    return min(max(rho, -MOST), MOST)


def _two(first: float, second: float, beside: float, items: int) -> float:
    """`beside`: the correlation of the two models."""
    square = (first**2 + second**2) / 2
    alike = min(beside, MOST)
    factor = min((1 - alike) / (2 * (1 - square)), 1.0)
    spread = 2 * (1 - alike) * (1 - factor * square) / (1 - square)
    return _beyond(abs(atanh(first) - atanh(second)) * sqrt((items - 3) / spread))


def _beyond(z: float) -> float:
    """That a statistic around `z` is beyond what chance makes it once in 1 / LEVEL."""
    limit = float(sp.special.ndtri(1 - LEVEL / 2))
    return float(sp.special.ndtr(z - limit) + sp.special.ndtr(-z - limit))


def _of_means(difference: float, items: int) -> float:
    """Two halves of the items, apart by so many standard deviations.

    >>> round(_of_means(0.5, 128), 2)
    0.8
    """
    free = items - 2
    away, limit = abs(difference) * sqrt(items) / 2, float(sp.special.stdtrit(free, 1 - LEVEL / 2))
    # Behind zero a difference far from it leaves nothing, which scipy has as NaN here and there.
    below, above = np.nan_to_num(sp.special.nctdtr(free, away, [-limit, limit]))
    return float(below + 1 - above)
