"""Other ways to aggregate: what each finds, how far each run's accuracy moves, and each person's reliability."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import TypeAdapter

from comparison.figures.figure import Figure
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.frame.aggregation_methods import WAYS, Way, aggregate
from comparison.frame.coded import Coded, coded
from comparison.frame.panel import NamedRun, Panel
from comparison.frame.selected import Selected
from comparison.statistics.aggregation import accuracy
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, plain

# People that a page lists; the download has all.
LISTED = 50


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
    aggregated = aggregate(key, labels, size=len(panel.items), values=len(panel.values))
    shared = (aggregated.credit > 0).sum(axis=1)
    return WayFinding(
        key=key,
        labeled=int((shared > 0).sum()),
        ties=int((shared > 1).sum()),
        same=accuracy(panel.majority, aggregated, sample=panel.sample),
        reference=accuracy(panel.truth, aggregated, sample=panel.sample),
        runs={run.key: accuracy(run.decided, aggregated, sample=panel.sample) for run in deciding},
        raters={
            name: None if math.isnan(value) else value
            for name, value in zip(labels.names, aggregated.reliability.tolist(), strict=True)
        },
        undefined=aggregated.undefined,
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
            return Estimate.none("fewer than two methods give a value")
        most = max(one.n for one in self.found)
        return Estimate(max(values) - min(values), n=most, no_interval="a difference of methods, not of samples")


@dataclass(frozen=True, slots=True)
class Aggregations:
    """The ways computed so far, and those `waiting` to be asked for; `raters` are the first of all `people`."""

    known: tuple[tuple[Way, WayFinding], ...]
    waiting: tuple[Way, ...]
    movements: tuple[Movement, ...]
    raters: tuple[tuple[str, tuple[str, ...]], ...]
    people: int

    @property
    def ways(self) -> list[Way]:
        return [way for way, _ in self.known]


def laid_out(runs: Sequence[NamedRun], findings: dict[str, WayFinding]) -> Aggregations:
    """The findings side by side: a column a way."""
    present = tuple((way, findings[way.key]) for way in WAYS if way.key in findings)
    return Aggregations(
        known=present,
        waiting=tuple(way for way in WAYS if way.key not in findings),
        movements=tuple(
            Movement(run.title, run.is_baseline, tuple(one.runs[run.key] for _, one in present))
            for run in runs
            if present and run.key in present[0][1].runs
        ),
        raters=_raters([one for _, one in present]),
        people=len(present[0][1].raters) if present else 0,
    )


def _raters(findings: Sequence[WayFinding]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The first people's figures as printed; empty where a way knows nothing of the person."""
    names = islice(findings[0].raters if findings else (), LISTED)
    return tuple((name, tuple(_printed(one.raters.get(name)) for one in findings)) for name in names)


def _printed(value: float | None) -> str:
    return "" if value is None else plain(value, decimals=2)


WAY = TypeAdapter(WayFinding)


# --- The figure: each way is remembered by itself, as soon as it is there --------------------------------


def _read(chosen: Selected) -> Aggregations:
    """Votes, and those of the learned ways that somebody has had computed: they take too long for a page."""
    parts = _parts(chosen)
    voted = {way.key: parts[way.key] for way in WAYS if not way.is_learned}
    findings = chosen.each_remembered(WAY, voted, lambda keys: aggregations(chosen.panel, keys))
    learned = {way.key: parts[way.key] for way in WAYS if way.is_learned}
    return laid_out(chosen.outline.runs, findings | chosen.known(WAY, learned))


def compute_aggregations(chosen: Selected) -> Iterator[tuple[Way, WayFinding]]:
    """Every way, one after the other: each is remembered as soon as it is there."""
    parts = _parts(chosen)
    for way in WAYS:
        one = {way.key: parts[way.key]}
        yield way, chosen.each_remembered(WAY, one, lambda keys: aggregations(chosen.panel, keys))[way.key]


def _parts(chosen: Selected) -> Mapping[str, list[object]]:
    return {way.key: chosen.of_items("aggregation", way.key) for way in WAYS}


def _every_way(chosen: Selected) -> Iterator[Row]:
    """Way after way, as they are computed: what nobody has asked for yet may take minutes."""
    for way, finding in compute_aggregations(chosen):
        yield from ([way.key, *line] for line in _way_lines(way, finding, chosen.panel))
        for rater, value in finding.raters.items():
            yield [way.key, rater, "", "", "reliability", value, *[None] * 5, "", way.reliable]


def _way_lines(way: Way, finding: WayFinding, panel: Panel) -> Iterator[Row]:
    """One way's figures, people apart: what the report has of it."""
    if finding.undefined:
        yield ["people", "", way.key, "labeled", None, None, None, 0, "items", None, finding.undefined, ""]
        return
    for name, count in (("labeled", finding.labeled), ("ties", finding.ties)):
        yield ["people", "", way.key, name, None, None, None, len(panel.items), "items", count, "", ""]
    if not way.is_majority:
        yield ["majority", "", way.key, "accuracy_aggregated", *estimated(finding.same)]
    yield [way.key, "", "reference", "accuracy_aggregated", *estimated(finding.reference)]
    for run in panel.runs:
        if run.key in finding.runs:
            how = run.cuts.words if run.cuts and run.is_cut else ""
            yield [run.name, run.family, way.key, "accuracy_aggregated", *estimated(finding.runs[run.key], how=how)]


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of the ways that are known: the rest would take minutes, and is in the download of its own."""
    for way, finding in _read(chosen).known:
        yield from (["aggregation", *line] for line in _way_lines(way, finding, chosen.panel))


@dataclass(frozen=True, kw_only=True)
class ByWay(Figure[Aggregations]):
    """Not remembered as a whole: each way is."""

    def read(self, chosen: Selected, *choices: object) -> Aggregations:
        return chosen.once((self.key,), lambda: self.compute(chosen))


AGGREGATIONS = ByWay(
    key="aggregations",
    part="people",
    title="Aggregation methods",
    shape=TypeAdapter(Aggregations),
    compute=_read,
    lines=_lines,
    download=Download(
        title="Aggregations",
        says="runs by each aggregation method, and the reliability of each {one}",
        line="a statistic of one aggregation method",
        columns=("way", "rater", "family", "against", "statistic", *CELLS),
        lines=_every_way,
        is_shared=False,
    ),
)
