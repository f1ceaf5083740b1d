"""The mean distance in degrees between given and true labels, on an ordered scale.

The mean absolute error of ordinal classification (Gaudette and Japkowicz 2009; Baccianella, Esuli and Sebastiani 2009,
equation 1). It takes degrees as equally far apart; 0 is always right.

Weighted κ of a rater with what is true, on an ordered scale: being two degrees off counts more than one.

Cohen 1968 (Psychological Bulletin 70: 213–220, equation 8): one less the observed over the expected disagreement,
where two labels i and j disagree by |i - j| (linear) or its square (quadratic). Quadratic κ is the intraclass
correlation of the degrees but for terms in 1/n (Fleiss and Cohen 1973).
"""

from typing import Literal

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.agreement.cohen import kappa_of_tables
from comparison.statistics.agreement.weights import weight_matrix
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate

Weights = Literal["linear", "quadratic"]


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
        lambda tables: kappa_of_tables(tables, weight_matrix(weights, values=tables.shape[1])),
        undefined="given and true labels are all one label",
    )


def mean_distance(found: Crossed) -> Estimate:
    """In degrees, with an interval by drawing items anew. It is defined where all that is true is one label, too.

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> mean_distance(crossed(np.array([0, 2, 1]), np.array([0, 0, 0]), values=3, called="labels")).value
    1.0
    """
    if not found.n:
        return found.none(found.nothing)
    return found.measured(of_tables, undefined="no item has both labels")


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values) to (draws,)."""
    degrees = np.arange(tables.shape[1])
    apart = np.abs(degrees[:, None] - degrees)
    total = tables.sum(axis=(1, 2))
    means: Floats = np.divide(
        (tables * apart).sum(axis=(1, 2)), total, out=np.full(len(tables), np.nan), where=total > 0
    )
    return means
