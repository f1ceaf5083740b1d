"""Matthews' correlation coefficient: the correlation of given and true labels, for any number of labels.

Matthews 1975 for two; Gorodkin 2004 (Computational Biology and Chemistry 28: 367–374, equation 8) for more. It is high
only where every label is hit, and does not rise with skew (Chicco and Jurman 2020).
"""

import numpy as np

from comparison.statistics.accuracy.crossed import Crossed
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate

ONE_DECISION = "every decision is the same label, so that nothing varies with the truth"


def matthews(found: Crossed) -> Estimate:
    """From -1 (of two labels, always the other) through 0 (chance) to 1, with an interval by drawing items anew.

    Undefined (0/0) where one side has one label only; scikit-learn writes 0 there.

    >>> from comparison.statistics.accuracy.crossed import crossed
    >>> round(matthews(crossed(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), values=2, called="labels")).value, 3)
    0.577
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(of_tables, undefined=ONE_DECISION)


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values), rows true, to (draws,); NaN where one side has one label only."""
    true, given = tables.sum(axis=2), tables.sum(axis=1)
    total = tables.sum(axis=(1, 2))
    right = np.trace(tables, axis1=1, axis2=2)
    together = right * total - (true * given).sum(axis=1)
    apart = (total**2 - (given**2).sum(axis=1)) * (total**2 - (true**2).sum(axis=1))
    found: Floats = np.divide(together, np.sqrt(apart), out=np.full(len(tables), np.nan), where=apart > 0)
    return found
