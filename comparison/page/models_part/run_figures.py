"""Further figures of runs beside people: measures that skew does not flatter, label distributions, calibration.

A panel and runs’ probabilities in, figures out. Free of Django.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from comparison.figures.findings import CALLED, REFERENCE
from comparison.frame.panel import Panel, Probabilities, RunColumn
from comparison.statistics.accuracy.balanced import balanced_accuracy
from comparison.statistics.accuracy.classes import macro_f1
from comparison.statistics.accuracy.confusion import matthews
from comparison.statistics.accuracy.crossed import Crossed, crossed, one_person, people_beside_truth
from comparison.statistics.accuracy.distance import mean_distance, weighted_kappa
from comparison.statistics.distributions import ceiling, divergence, total_variation
from comparison.statistics.distributions.calibration import Calibration, calibration
from comparison.statistics.distributions.cross_entropy import by_the_others, cross_entropy, people_entropy
from comparison.statistics.distributions.shares import one_hot
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import names_labels

ONE, HALF = "one person", "half of the people"
ONE_LABEL = "one label: all probability on it"
NO_PROBABILITIES = "the run gives one label and no probabilities"
NOT_OF_HALVES = "a half gives no probability to what only the other half says"


@dataclass(frozen=True, slots=True)
class Column:
    """A statistic under its name; the glossary has its key."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Line:
    """One rater's figures, in the order of the columns. People's lines have no family; `how` says what is held."""

    name: str
    family: str
    is_baseline: bool
    how: str
    estimates: tuple[Estimate, ...]

    @property
    def is_half(self) -> bool:
        """Of people's two lines, the one of many."""
        return self.name == HALF


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    @property
    def named(self) -> list[tuple[Line, list[tuple[Column, Estimate]]]]:
        return [(line, list(zip(self.columns, line.estimates, strict=True))) for line in self.lines]


@dataclass(frozen=True, slots=True)
class CalibratedRun:
    key: str
    name: str
    family: str
    how: str
    found: Calibration


@dataclass(frozen=True, slots=True)
class RunFigures:
    """`measures` and `calibrated` are against `target`; a table is None where there is nothing to put in it."""

    target: str
    measures: Table | None
    distributions: Table | None
    calibrated: tuple[CalibratedRun, ...]


BALANCED = Column("balanced_accuracy", "Balanced accuracy")
F1 = Column("macro_f1", "Macro F1")
MCC = Column("matthews", "MCC")
LINEAR = Column("kappa_linear", "κ, linear")
QUADRATIC = Column("kappa_quadratic", "κ, quadratic")
DISTANCE = Column("mean_distance", "Degrees off")
OF_ALL: dict[Column, Callable[[Crossed], Estimate]] = {BALANCED: balanced_accuracy, F1: macro_f1, MCC: matthews}
OF_DEGREES: dict[Column, Callable[[Crossed], Estimate]] = {
    LINEAR: lambda found: weighted_kappa(found, weights="linear"),
    QUADRATIC: lambda found: weighted_kappa(found, weights="quadratic"),
    DISTANCE: mean_distance,
}
JENSEN_SHANNON = Column("jensen_shannon", "Jensen–Shannon")
TOTAL_VARIATION = Column("total_variation", "Total variation")
CROSS_ENTROPY = Column("cross_entropy", "Cross-entropy")


def run_figures(panel: Panel, probabilities: Mapping[str, Probabilities], *, target: str) -> RunFigures:
    """`probabilities` by the keys of the runs that have them; `target`, what is taken as true."""
    truth = panel.truth if target == REFERENCE else panel.majority
    calibrated = tuple(
        CalibratedRun(run.key, run.name, run.family, one.how, calibration(one.given, truth, sample=panel.sample))
        for run in panel.runs
        for one in (probabilities.get(run.key),)
        if one is not None and (truth >= 0).any()
    )
    return RunFigures(target, _measures(panel, target), _distributions(panel, probabilities), calibrated)


def _measures(panel: Panel, target: str) -> Table | None:
    """Each run that names labels, after one person, who is held against the others' majority or the reference."""
    truth = panel.truth if target == REFERENCE else panel.majority
    measures = OF_ALL | (OF_DEGREES if panel.ordered else {})
    runs = [run for run in panel.runs if names_labels(run.decided)]
    if not runs or not (truth >= 0).any():
        return None
    lines = []
    if panel.has_labels:
        person = (
            people_beside_truth(panel.counts, truth, called=CALLED[target], sample=panel.sample)
            if target == REFERENCE
            else one_person(panel.counts, sample=panel.sample)
        )
        against = "against the reference" if target == REFERENCE else "against the others’ majority"
        lines.append(Line(ONE, "", False, against, tuple(of(person) for of in measures.values())))
    for run in runs:
        table = crossed(run.decided, truth, values=len(panel.values), called=CALLED[target], sample=panel.sample)
        estimates = tuple(of(table) for of in measures.values())
        lines.append(Line(run.title, run.family, run.is_baseline, "", estimates))
    return Table(tuple(measures), tuple(lines))


def _distributions(panel: Panel, probabilities: Mapping[str, Probabilities]) -> Table | None:
    """Each run against the shares of people's labels, after what people are to one another."""
    runs = [run for run in panel.runs if run.key in probabilities or names_labels(run.decided)]
    if not runs or not panel.has_labels:
        return None
    lines = [*_people(panel), *(_distribution(run, panel, probabilities.get(run.key)) for run in runs)]
    return Table((JENSEN_SHANNON, TOTAL_VARIATION, CROSS_ENTROPY), tuple(lines))


def _people(panel: Panel) -> tuple[Line, Line]:
    counts, sample = panel.counts, panel.sample
    distances = (divergence.distances, total_variation.distances)
    one = [ceiling.one_person(counts, own, sample=sample) for own in distances]
    half = [ceiling.half(counts, own, sample=sample) for own in distances]
    floor = people_entropy(counts, sample=sample)
    none = Estimate.none(NOT_OF_HALVES)
    said = "" if floor.value is None else f"; the entropy of the labels is {floor.number} bits"
    return (
        Line(ONE, "", False, f"against the others{said}", (*one, by_the_others(counts, sample=sample))),
        Line(HALF, "", False, "against the other half", (*half, none)),
    )


def _distribution(run: RunColumn, panel: Panel, own: Probabilities | None) -> Line:
    counts, sample = panel.counts, panel.sample
    given = one_hot(run.decided, values=len(panel.values)) if own is None else own.given
    bits = Estimate.none(NO_PROBABILITIES) if own is None else cross_entropy(counts, given, sample=sample)
    near = divergence.jensen_shannon(counts, given, sample=sample)
    moved = total_variation.total_variation(counts, given, sample=sample)
    name, how = (run.title, ONE_LABEL) if own is None else (run.name, own.how)
    return Line(name, run.family, run.is_baseline, how, (near, moved, bits))
