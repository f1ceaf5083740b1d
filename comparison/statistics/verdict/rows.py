"""The items on which runs are compared, and what each run said of them."""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import with_interval
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.measure import Measure


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The compared rows only; `share_in` as in the evidence.

    `can_favor`: whether a run may come nearer by favoring a common label. It may not by κ, nor where one role is right
    for all items.
    """

    by: Measure
    values: int
    counts: Ints
    truth: Ints
    decided: list[Ints]
    fitted: list[bool]
    sample: Sample
    share_in: float
    can_favor: bool

    @property
    def items(self) -> int:
        return self.sample.size(np.ones(len(self.truth), dtype=bool))

    @property
    def units(self) -> int:
        """What is drawn: items, or clusters."""
        clusters = self.sample.clusters
        return self.items if clusters is None else len(np.unique(clusters))

    @property
    def is_grouped(self) -> bool:
        return self.sample.clusters is not None

    def interval(self, value: float, drawn: Floats) -> Estimate:
        return with_interval(value, drawn, items=self.units, n=self.items, expanded=self.is_grouped)
