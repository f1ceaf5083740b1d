"""Other ways to aggregate, and how far each run's accuracy moves with the choice: a panel in, findings out."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from comparison.frame.coded import Coded, coded
from comparison.frame.panel import NamedRun, Panel
from comparison.frame.ways import WAYS, Way, aggregate
from comparison.statistics.aggregation.aggregate import accuracy
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, plain


@dataclass(frozen=True, slots=True)
class WayFinding:
    """One way over a panel: `labeled` items have a label, of which `ties` share several.

    `same` holds it against the plain majority, `reference` against the references; `runs` are each run's accuracy
    by its key, and `raters` each person's reliability (None where nothing is known) by name.
    """

    key: str
    labeled: int
    ties: int
    same: Estimate
    reference: Estimate
    runs: dict[str, Estimate]
    raters: dict[str, float | None]
    undefined: str = ""


def aggregations(panel: Panel, keys: Collection[str]) -> dict[str, WayFinding]:
    """The ways of these keys. Votes take as long as counting; what is learned takes seconds or minutes."""
    labels = coded(panel.people, items=list(panel.items), values=panel.values)
    return {key: _way(key, panel, labels) for key in keys}


def _way(key: str, panel: Panel, labels: Coded) -> WayFinding:
    deciding = [run for run in panel.runs if (run.decided != MISSING).any()]
    found = aggregate(key, labels, size=len(panel.items), values=len(panel.values))
    shared = (found.credit > 0).sum(axis=1)
    return WayFinding(
        key=key,
        labeled=int((shared > 0).sum()),
        ties=int((shared > 1).sum()),
        same=accuracy(panel.majority, found, sample=panel.sample),
        reference=accuracy(panel.truth, found, sample=panel.sample),
        runs={run.key: accuracy(run.decided, found, sample=panel.sample) for run in deciding},
        raters={
            name: None if math.isnan(value) else value
            for name, value in zip(labels.names, found.reliability.tolist(), strict=True)
        },
        undefined=found.undefined,
    )


@dataclass(frozen=True, slots=True)
class Movement:
    """One run by every way that is known, in the order of the ways; `moved` is from its lowest to its highest."""

    run: str
    is_baseline: bool
    found: tuple[Estimate, ...]

    @property
    def moved(self) -> Estimate:
        values = [one.value for one in self.found if one.value is not None]
        if len(values) < 2:
            return Estimate.none("fewer than two ways give a figure")
        most = max(one.n for one in self.found)
        return Estimate(max(values) - min(values), n=most, no_interval="a difference between choices, not of chance")


@dataclass(frozen=True, slots=True)
class Aggregations:
    """What is known so far; `waiting` are the ways that nobody has asked to compute."""

    known: tuple[tuple[Way, WayFinding], ...]
    waiting: tuple[Way, ...]
    movements: tuple[Movement, ...]
    raters: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def ways(self) -> list[Way]:
        return [way for way, _ in self.known]


def laid_out(runs: Sequence[NamedRun], found: dict[str, WayFinding]) -> Aggregations:
    """The findings side by side: a column a way."""
    known = tuple((way, found[way.key]) for way in WAYS if way.key in found)
    return Aggregations(
        known=known,
        waiting=tuple(way for way in WAYS if way.key not in found),
        movements=tuple(
            Movement(run.title, run.is_baseline, tuple(one.runs[run.key] for _, one in known))
            for run in runs
            if known and run.key in known[0][1].runs
        ),
        raters=_raters([one for _, one in known]),
    )


def _raters(found: Sequence[WayFinding]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each person's figures as printed; empty where a way knows nothing of the person."""
    names = found[0].raters if found else {}
    return tuple((name, tuple(_printed(one.raters.get(name)) for one in found)) for name in names)


def _printed(value: float | None) -> str:
    return "" if value is None else plain(value, decimals=2)
