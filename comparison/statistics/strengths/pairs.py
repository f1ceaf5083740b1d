"""Two numbers of the same items: those items that have both, and why nothing can be correlated where that is so."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.counts import Floats
from comparison.statistics.resampling.sample import Sample

FEWEST = 4


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The two columns without gaps; `both` says which items they are of. `undefined` says why they cannot be used."""

    one: Floats
    other: Floats
    both: NDArray[np.bool_]
    undefined: str = ""

    @property
    def n(self) -> int:
        return len(self.one)

    def of(self, sample: Sample) -> Sample:
        """The part of the sample that is of these items."""
        return sample.where(self.both)


def pairs(one: Floats, other: Floats, *, first: str = "the first", second: str = "the second") -> Pairs:
    """Columns of shape (items,), NaN where an item has no such number. `first` and `second` name them in a reason.

    >>> found = pairs(np.array([1.0, 2.0, np.nan]), np.array([1.0, 2.0, 3.0]))
    >>> found.n, found.undefined
    (2, 'fewer than 4 items have both')
    """
    both = np.isfinite(one) & np.isfinite(other)
    left, right = one[both], other[both]
    undefined = ""
    if len(left) < FEWEST:
        undefined = f"fewer than {FEWEST} items have both"
    elif np.ptp(left) == 0:
        undefined = f"{first} is the same for every item"
    elif np.ptp(right) == 0:
        undefined = f"{second} is the same for every item"
    return Pairs(left, right, both, undefined)
