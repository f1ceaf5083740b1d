"""Which runs are compared, and on which items: those that all of them have labeled.

A run that is running, or that labeled fewer items than the others, would shrink what all are compared on, and so change
what was said of runs that have long been finished. It stands outside, with the reason.

The items on which runs are compared, and what each run said of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import with_interval
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.evidence import Entrant
from comparison.statistics.verdict.measure import Measure
from corpus.errors import counted

# Of the items with a truth, a run must have labeled this share, and all runs together must share as much.
ENOUGH = 0.5
# And of the items of the model that has labeled most, this share.
AS_WIDE = 0.9


@dataclass(frozen=True, slots=True)
class Outside:
    """A run that is not compared, and why not."""

    run: int
    name: str
    is_baseline: bool
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The runs that are compared, in the order given, and the rows that all of them have labeled."""

    inside: tuple[Entrant, ...]
    outside: tuple[Outside, ...]
    rows: NDArray[np.bool_]


def field(entrants: tuple[Entrant, ...], truth: Ints, sample: Sample, *, called: str = "labels") -> Field:
    """Runs come in from the one with the most labels on; one that has far fewer, or would leave few items, stays out.

    >>> truth = np.zeros(4, dtype=int)
    >>> most = Entrant(run=1, name="most", is_baseline=False, decided=np.zeros(4, dtype=int))
    >>> few = Entrant(run=2, name="few", is_baseline=False, decided=np.array([0, MISSING, MISSING, MISSING]))
    >>> found = field((few, most), truth, Sample())
    >>> [one.name for one in found.inside], found.outside[0].reason
    (['most'], 'answered 1 of 4 items')
    """
    known = truth != MISSING
    total = sample.size(known)
    rows, inside, outside = known, set[int](), []
    labeled = {one.run: sample.size(known & (one.decided != MISSING)) for one in entrants}
    # A baseline labels every item, and says nothing of how many a model can.
    models = [one for one in entrants if not one.is_baseline and not one.is_live]
    fewest = max(ENOUGH * total, AS_WIDE * max((labeled[one.run] for one in models), default=0))
    for one in sorted(entrants, key=lambda one: (-labeled[one.run], one.run)):
        left = rows & (one.decided != MISSING)
        reason = _reason(one, labeled[one.run], total, fewest, called) if total else ""
        if not reason and sample.size(left) < ENOUGH * total:
            reason = f"shares {sample.size(left):,} of {counted(total, 'item')} with the others"
        if reason or not total:
            outside.append(Outside(one.run, one.name, one.is_baseline, reason))
        else:
            inside.add(one.run)
            rows = left
    return Field(tuple(one for one in entrants if one.run in inside), tuple(outside), rows)


def _reason(one: Entrant, labeled: int, total: int, fewest: float, called: str) -> str:
    if one.is_live:
        return "running"
    if not labeled:
        return "scores only" if one.strength.value is not None else f"no {called}"
    if labeled < fewest:
        return f"answered {labeled:,} of {counted(total, 'item')}"
    return ""


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
