"""Wilson's interval of a share (1927; Brown, Cai and DasGupta 2001): right for 0 of n and n of n, too.

Resampled and linearized intervals have no width where every unit says the same, however few there are. A share that is
1 on all of n items (groups, people) is at least as surely above the lower end of n of n as a share of yes and no: a
mean of m between 0 and 1 is n times 1 by chance with m to the n at most.
"""

import math
from dataclasses import replace

from comparison.statistics.estimate import Estimate

REACH = 1.959963984540054
# Why resampling and linearization give no interval.
SAME_IN_EACH = "every resample gives the same value"
SAME_FOR_ALL = "the value is the same for all items and people"


def wilson(share: float, n: float, reach: float = REACH) -> tuple[float, float]:
    """Of a share of n, `reach` standard errors to either side.

    Here and not from statsmodels: a page that shows one share would load pandas for it.

    >>> [round(end, 4) for end in wilson(0.5, 60, 1.96)]
    [0.3773, 0.6227]
    """
    more = reach**2 / n
    middle = (share + more / 2) / (1 + more)
    half = reach / (1 + more) * math.sqrt(share * (1 - share) / n + more / (4 * n))
    return middle - half, middle + half


def where_all_agree(estimate: Estimate, *, units: int, called: str = "") -> Estimate:
    """A share of 0 or 1 without an interval, because its `units` all say the same, with that of as many yes or no.

    The note says so where it is told what they are `called`.

    >>> print(where_all_agree(Estimate(1.0, n=6, no_interval=SAME_IN_EACH), units=6))
    1.00 [.61, 1.00], n = 6
    """
    if estimate.no_interval not in (SAME_IN_EACH, SAME_FOR_ALL) or estimate.value not in (0.0, 1.0) or units < 2:
        return estimate
    low, high = wilson(estimate.value, units)
    low, high = (0.0, high) if estimate.value == 0 else (low, 1.0)
    # Of what is 0 for all, as a label that nobody gave, it would be wrong to say that they agree.
    of_units = f"{units:,} {called} that all agree" if estimate.value else f"0 of {units:,} {called}"
    remark = f"Wilson’s interval of {of_units}" if called else ""
    note = "; ".join(filter(None, (estimate.note, remark)))
    return replace(estimate, low=low, high=high, no_interval="", note=note)
