"""Holm's correction (1979, Scand. J. Statist. 6: 65–70): p of several tests, held down for as many looks."""

import math
from collections.abc import Collection


def holm(ps: Collection[float]) -> list[float]:
    """Each p after the correction, whatever the tests have to do with one another; ValueError of NaN, which is no p.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    given, corrected, least = list(ps), [1.0] * len(ps), 0.0
    if any(map(math.isnan, given)):
        raise ValueError("a test without a p cannot be corrected")
    for place, of in enumerate(sorted(range(len(given)), key=given.__getitem__)):
        least = max(least, min(1.0, (len(given) - place) * given[of]))
        corrected[of] = least
    return corrected
