"""How near two labels of a scale are: 1 for the same, 0 for the two ends (Gwet 2014, Handbook of Inter-Rater
Reliability, 4th edition, sections 3.5 and 4.2; the same matrices as irrCAC's).

Places on the scale stand for labels, from 1. *Ordinal* weights count the pairs of places that lie between two labels;
*linear* and *quadratic* ones take places as equally far apart.
"""

from typing import Literal

import numpy as np

from comparison.statistics.counts import Floats

Weighting = Literal["identity", "linear", "quadratic", "ordinal"]


def weight_matrix(weighting: Weighting, *, values: int) -> Floats:
    """Shape (values, values), symmetric, with ones on the diagonal.

    >>> weight_matrix("linear", values=3).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    >>> weight_matrix("ordinal", values=4)[0].round(3).tolist()
    [1.0, 0.833, 0.5, 0.0]
    """
    if weighting == "identity" or values == 1:
        return np.eye(values)
    apart = np.abs(np.subtract.outer(np.arange(values), np.arange(values))).astype(np.float64)
    distance = {"linear": apart, "quadratic": apart**2, "ordinal": apart * (apart + 1) / 2}[weighting]
    return np.asarray(1 - distance / distance.max())
