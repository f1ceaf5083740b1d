"""The items that a model of several attributes goes without, and what goes with them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.counts import Floats
from comparison.statistics.estimate import counted
from comparison.statistics.values import WITHOUT

Texts = NDArray[np.object_]
UNDECIDED = "a decision or a label"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`items` of all `of` are not in the model; `lacking` says how many lack what, and an item may lack several things.

    `gone` are values that no item in the model has, with their attributes; `alike`, the attributes that say the same
    of all items in the model, and so have no figure.
    """

    items: int
    of: int
    lacking: tuple[tuple[str, int], ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    alike: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """
        >>> LeftOut(5, 9, (("socal", 1), ("vader", 4)), (("class", "temporal"),)).words
        '5 of 9 items are left out: 1 lacks socal, 4 lack vader; no item is left of class: temporal'
        """
        why = ", ".join(f"{items:,} {'lacks' if items == 1 else 'lack'} {what}" for what, items in self.lacking)
        several = " (some more than one of these)" if sum(items for _, items in self.lacking) > self.items else ""
        gone = ", ".join(f"{name}: {value}" for name, value in self.gone)
        out = f"{self.items:,} of {counted(self.of, 'item')} {'is' if self.items == 1 else 'are'} left out"
        parts = [
            f"{out}: {why}{several}" if self.items else "",
            f"no item is left of {gone}" if gone else "",
            f"without a figure, for all items here have the same: {', '.join(self.alike)}" if self.alike else "",
        ]
        return "; ".join(part for part in parts if part)


def left_out(
    answered: NDArray[np.bool_], numbers: Mapping[str, Floats], classes: Mapping[str, Texts], here: NDArray[np.bool_]
) -> LeftOut:
    """Of the items that are not `here`: an item is, that is `answered` and has every one of the numbers."""
    lacking = {UNDECIDED: ~answered, **{name: ~np.isfinite(column) for name, column in numbers.items()}}
    values = {name: (set(column), set(column[here])) for name, column in classes.items()}
    alike = [name for name, column in numbers.items() if here.any() and np.ptp(column[here]) == 0]
    return LeftOut(
        items=int((~here).sum()),
        of=len(here),
        lacking=tuple((what, int(items.sum())) for what, items in lacking.items() if items.any()),
        gone=tuple((name, one or WITHOUT) for name, (every, left) in values.items() for one in sorted(every - left)),
        alike=(*alike, *(name for name, (_, left) in values.items() if len(left) == 1)),
    )
