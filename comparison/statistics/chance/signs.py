"""Whether leads are on one side: every lead may have had either sign (Fisher 1935, section 21), exactly.

A lead is that of one item or of a whole group. The sum over all signs has a distribution that a Fourier transform of
its cosines gives; of leads of one size it is binomial. Beyond nine standard deviations there is less than 1e-17 of it
(Hoeffding 1963), so that the transform is no longer than that: 20,000 groups cost what 200 cost.
"""

from math import ceil

import numpy as np
from scipy.stats import binom

from comparison.statistics.counts import Floats, Ints

DEVIATIONS = 9
# Rounding errors of the transform add up to less than this.
LEAST = 1e-15


def at_least(leads: Ints, *, weights: Ints | None = None) -> float:
    """The probability of the sum of these leads, or a larger one; `weights`: how often each is there.

    Never less than 1 of the ways to give signs. Of three leads that are all ahead it is one of eight:

    >>> at_least(np.array([1, 2, 5])), at_least(np.array([-1, 2, 5]))
    (0.125, 0.25)
    """
    there = np.ones(len(leads), dtype=np.int64) if weights is None else weights
    seen = int((leads * there).sum())
    sizes, place = np.unique(np.abs(leads), return_inverse=True)
    times = np.bincount(place, weights=there, minlength=len(sizes)).astype(np.int64)
    sizes, times = (of[(sizes > 0) & (times > 0)] for of in (sizes, times))
    units = int(times.sum())
    if not units:
        return 1.0
    if len(sizes) == 1:
        return float(binom.sf((seen // int(sizes[0]) + units) // 2 - 1, units, 0.5))
    # By symmetry the sum is as often up to −seen as from seen on.
    found = _tail(sizes, times, seen) if seen > 0 else 1.0 - _tail(sizes, times, 1 - seen)
    return float(np.clip(found, 2.0**-units, 1.0))


def _tail(sizes: Ints, times: Ints, seen: int) -> float:
    spread = float((sizes.astype(np.float64) ** 2 * times).sum()) ** 0.5
    reach = min(int((sizes * times).sum()), ceil(DEVIATIONS * spread))
    if seen > reach:
        return LEAST
    length = 2 * reach + 1
    angles = 2 * np.pi * np.arange(reach + 1) / length
    transformed: Floats = np.ones(reach + 1)
    for size, count in zip(sizes.tolist(), times.tolist(), strict=True):
        transformed *= np.cos(size * angles) ** count
    return float(np.fft.irfft(transformed, n=length)[seen : reach + 1].sum())
