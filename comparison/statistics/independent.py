"""The difference of two figures that rest on different items, with an interval made of theirs.

Square-and-add (Zou and Donner 2008, Statistics in Medicine 27: 1693–1702; of two shares with Wilson's intervals it is
Newcombe's hybrid score interval, 1998, Statistics in Medicine 17: 873–890, method 10): each end of the difference is
as far from it as the nearer ends of the two intervals are from their figures, by Pythagoras. So it is as skewed as they
are, and knows of clusters what they know. Items of the two must be independent; where they go together, it is too wide.
"""

from math import erfc, hypot, sqrt

from comparison.statistics.estimate import Estimate

NORMAL_95 = 1.959964


def difference(one: Estimate, other: Estimate) -> Estimate:
    """`one` less `other`; n is of both. Without an interval where one of the two has no interval.

    Newcombe's first example, 56 of 70 and 48 of 80:

    >>> from comparison.statistics.accuracy.hits import share
    >>> found = difference(share(56, 70, reason=""), share(48, 80, reason=""))
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4), found.n
    (0.2, 0.0524, 0.3339, 150)
    """
    if one.value is None or other.value is None:
        return Estimate.none("one of the two is undefined")
    value, n = one.value - other.value, one.n + other.n
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value, n=n, no_interval="one of the two has no interval", unit=one.unit)
    low = value - hypot(one.value - one.low, other.high - other.value)
    high = value + hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, low, high, n=n, unit=one.unit)


def p_of(found: Estimate) -> float | None:
    """Two-sided p of a difference: how wide its interval would have to be for the nearer end to reach 0.

    That end is taken to go out from the figure in proportion to the normal quantile, 1.96 at 95 %, which is exact of
    symmetric intervals. None without an interval.

    >>> from comparison.statistics.accuracy.hits import share
    >>> found = difference(share(56, 70, reason=""), share(48, 80, reason=""))
    >>> round(p_of(found), 4), p_of(Estimate(0.0, -0.1, 0.1, n=9))
    (0.0079, 1.0)
    """
    if found.value is None or found.low is None or found.high is None:
        return None
    reach = found.value - found.low if found.value > 0 else found.high - found.value
    if found.value == 0 or reach == 0:
        return 1.0 if found.value == 0 else 0.0
    return erfc(NORMAL_95 * abs(found.value) / reach / sqrt(2))
