"""Which word a model ranks higher in a slot, item by item: the numbers behind accuracy, MRR and mean rank difference.

Lorge and Pierrehumbert (2023, BlackboxNLP). Ranks are places in the model's whole vocabulary, from 1. numpy only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Ranks:
    """The first role's rank and the best of the others', shape (items,); NaN where an item has none."""

    first: NDArray[np.float64]
    other: NDArray[np.float64]

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.isfinite(self.first) & np.isfinite(self.other)

    def where(self, mask: NDArray[np.bool_]) -> "Ranks":
        return Ranks(self.first[mask], self.other[mask])

    @property
    def above(self) -> NDArray[np.float64]:
        """1 where the first role comes above the others, else 0; the same rank is not above."""
        return (self.first < self.other).astype(np.float64)

    @property
    def reciprocal(self) -> NDArray[np.float64]:
        """1 over the first role's rank."""
        return 1.0 / self.first

    @property
    def difference(self) -> NDArray[np.float64]:
        """The first role's rank minus the other's: positive where the other comes above."""
        return self.first - self.other
