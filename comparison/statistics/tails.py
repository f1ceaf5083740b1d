"""Tails of the normal and of Student's distribution, and how far out a tail begins.

What scipy.stats computes, from the same functions of scipy.special: its own checks of every argument take forty times
as long as the number.
"""

import numpy as np
import scipy as sp

from comparison.statistics.counts import Floats


def of_normal(z: Floats | float) -> Floats:
    """The probability of more than z.

    >>> print(of_normal(1.96).round(3))
    0.025
    """
    return np.asarray(sp.special.ndtr(-z))


def z_of(tail: Floats | float) -> Floats:
    """The z that is exceeded with this probability.

    >>> print(z_of(0.025).round(2))
    1.96
    """
    return np.asarray(-sp.special.ndtri(tail))


def of_t(t: Floats | float, freedom: Floats | float) -> Floats:
    """The probability of more than t.

    >>> print(of_t(2.228, 10).round(3))
    0.025
    """
    return np.asarray(sp.special.stdtr(freedom, -t))


def t_of(tail: Floats | float, freedom: Floats | float) -> Floats:
    """The t that is exceeded with this probability.

    >>> print(t_of(0.025, 10).round(3))
    2.228
    """
    # Of nothing, scipy.special says the lower end.
    return np.where(np.equal(tail, 0), np.inf, -sp.special.stdtrit(freedom, tail))
