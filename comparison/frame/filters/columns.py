"""An attribute as a reader takes it: some of its values as one, a number in bins."""

from dataclasses import dataclass

import numpy as np

from comparison.frame.panel import Panel, Texts
from comparison.statistics.by_attribute.bins import Bins, read_bins
from comparison.statistics.counts import WITHOUT, Floats
from corpus.decimals import decimal


@dataclass(frozen=True, slots=True)
class TakenColumn:
    """Which attribute it is and what is made of it."""

    name: str
    bins: Bins | None = None
    merged: tuple[str, ...] = ()
    merged_as: str = ""

    @property
    def order(self) -> tuple[str, ...]:
        """That of its values, where they have one."""
        return self.bins.names if self.bins else ()

    def of(self, panel: Panel) -> Texts:
        """One text an item of the panel; empty where an item has no such attribute."""
        column = panel.attributes[self.name]
        if self.bins is not None:
            return np.array(self.bins.of(numbers(panel, self.name)), dtype=object)
        if self.merged:
            return np.array(
                [self.merged_as if (value or WITHOUT) in self.merged else value for value in column], dtype=object
            )
        return column


def taken(whole: Panel, name: str, *, bins: str = "", merged: tuple[str, ...] = (), merged_as: str = "") -> TakenColumn:
    """Of all items of a study, so that bins stay the same whatever the filters; ValueError for bins that cannot be.

    Values of another attribute are not merged; several have the name that is given, or theirs one after the other.
    """
    if name in whole.numeric:
        return TakenColumn(name, bins=read_bins(bins, numbers(whole, name)))
    present = tuple(value for value in merged if value in set(whole.attributes[name]) | {WITHOUT})
    if len(present) < 2:
        return TakenColumn(name)
    return TakenColumn(name, merged=present, merged_as=merged_as.strip() or " + ".join(present))


def numbers(panel: Panel, name: str) -> Floats:
    """An attribute that is a number, one an item; NaN where an item has none."""
    column = panel.attributes[name].tolist()
    by_text = {text: decimal(text) for text in set(column)}
    return np.array([by_text[text] for text in column], dtype=np.float64)
