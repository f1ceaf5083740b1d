"""The mean distance in degrees between given and true labels, on an ordered scale.

The mean absolute error of ordinal classification (Gaudette and Japkowicz 2009; Baccianella, Esuli and Sebastiani 2009,
equation 1). It takes degrees as equally far apart; 0 is always right.
"""

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate


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
