"""Weighted κ of a rater with what is true, on an ordered scale: being two degrees off counts more than one.

Cohen 1968 (Psychological Bulletin 70: 213–220, equation 8): one less the observed over the expected disagreement,
where two labels i and j disagree by |i - j| (linear) or its square (quadratic). Quadratic κ is the intraclass
correlation of the degrees but for terms in 1/n (Fleiss and Cohen 1973).
"""

from typing import Literal

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate

Weights = Literal["linear", "quadratic"]
POWERS: dict[Weights, int] = {"linear": 1, "quadratic": 2}


def weighted_kappa(found: Crossed, *, weights: Weights) -> Estimate:
    """From -1 to 1, 0 at chance, with an interval by drawing items anew.

    One of four items is one degree off; of three degrees, that is half the worst, or a quarter of its square:

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> table = crossed(np.array([0, 1, 2, 1]), np.array([0, 1, 2, 2]), values=3, called="labels")
    >>> [round(weighted_kappa(table, weights=weights).value, 3) for weights in ("linear", "quadratic")]
    [0.714, 0.8]
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(
        lambda tables: of_tables(tables, weights=weights), undefined="given and true labels are all one label"
    )


def of_tables(tables: Floats, *, weights: Weights) -> Floats:
    """Tables (draws, values, values) to (draws,); NaN where no disagreement is expected."""
    degrees = np.arange(tables.shape[1])
    apart = np.abs(degrees[:, None] - degrees).astype(np.float64) ** POWERS[weights]
    true, given, total = tables.sum(axis=2), tables.sum(axis=1), tables.sum(axis=(1, 2))
    observed = (tables * apart).sum(axis=(1, 2)) * total
    expected = np.einsum("di,ij,dj->d", true, apart, given)
    ratio: Floats = np.divide(observed, expected, out=np.full(len(tables), np.nan), where=expected > 0)
    return np.asarray(1 - ratio)
