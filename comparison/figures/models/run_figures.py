"""More metrics of runs and of people: measures that skew does not flatter, label distributions, calibration."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from annotation.models.population import Words
from comparison.figures.figure import Figure
from comparison.figures.file import Download, Row, estimated
from comparison.figures.findings import CALLED, REFERENCE
from comparison.figures.models.answers import spread
from comparison.figures.table import DRAWN, Column, Rater, Statistic, Table
from comparison.frame.filters.selection import TARGETS
from comparison.frame.panel import Panel, Probabilities, RunColumn
from comparison.frame.probabilities import read_probabilities
from comparison.frame.selected import Selected
from comparison.glossary.entries import term_of
from comparison.statistics import divergence
from comparison.statistics.accuracy.classes import macro_f1
from comparison.statistics.accuracy.confusion import matthews
from comparison.statistics.accuracy.crossed import (
    Crossed,
    balanced_accuracy,
    crossed,
    mean_distance,
    one_person,
    people_beside_truth,
    weighted_kappa,
)
from comparison.statistics.calibration import Calibration, calibration
from comparison.statistics.divergence import by_the_others, cross_entropy, one_hot, people_entropy
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import names_labels

ONE, HALF = "one person", "half of the people"
ONE_LABEL = "all probability on one label"
NO_PROBABILITIES = "the run gives one label and no probabilities"
NOT_OF_HALVES = "one half gives probability 0 to labels that only the other half uses"


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

    def rater(self, people: Words) -> Rater:
        how = f" ({self.how})" if self.how else ""
        if self.family:
            return Rater(name=self.name, title=self.name + how, family=self.family, is_baseline=self.is_baseline)
        title = f"Half of the {people.many}" if self.is_half else f"One {people.one}"
        return Rater(name=self.name, title=title + how, kind="people")


@dataclass(frozen=True, slots=True)
class Lines:
    """Statistics of raters."""

    statistics: tuple[Statistic, ...]
    lines: tuple[Line, ...]

    @property
    def named(self) -> list[tuple[Line, list[tuple[Statistic, Estimate]]]]:
        return [(line, list(zip(self.statistics, line.estimates, strict=True))) for line in self.lines]


@dataclass(frozen=True, slots=True)
class CalibratedRun:
    key: str
    name: str
    short: str
    family: str
    how: str
    found: Calibration

    @property
    def chart(self) -> str:
        return f"calibration-{self.key}"

    @property
    def caption(self) -> str:
        return (
            f"How often {self.name} is right, by its probability: ten bins of equal size, with 95 % intervals "
            "(Wilson). Dashed line: perfectly calibrated."
        )


@dataclass(frozen=True, slots=True)
class RunFigures:
    """`measures` and `calibrated` are against `target`; a table is None where there is nothing to put in it."""

    target: str
    measures: Lines | None
    distributions: Lines | None
    calibrated: tuple[CalibratedRun, ...]


BALANCED = Statistic("Balanced accuracy", "balanced_accuracy")
F1 = Statistic("Macro F1", "macro_f1")
MCC = Statistic("MCC", "matthews")
LINEAR = Statistic("κ, linear", "kappa_linear")
QUADRATIC = Statistic("κ, quadratic", "kappa_quadratic")
DISTANCE = Statistic("Steps off", "mean_distance")
OF_ALL: dict[Statistic, Callable[[Crossed], Estimate]] = {BALANCED: balanced_accuracy, F1: macro_f1, MCC: matthews}
OF_DEGREES: dict[Statistic, Callable[[Crossed], Estimate]] = {
    LINEAR: lambda found: weighted_kappa(found, weights="linear"),
    QUADRATIC: lambda found: weighted_kappa(found, weights="quadratic"),
    DISTANCE: mean_distance,
}
JENSEN_SHANNON = Statistic("Jensen–Shannon", "jensen_shannon")
TOTAL_VARIATION = Statistic("Total variation", "total_variation")
CROSS_ENTROPY = Statistic("Cross-entropy", "cross_entropy")


def run_figures(panel: Panel, probabilities: Mapping[str, Probabilities], *, target: str) -> RunFigures:
    """`probabilities` by the keys of the runs that have them; `target`, what is taken as true."""
    truth = panel.true(target)
    calibrated = tuple(
        CalibratedRun(key=run.key, name=run.name, short=run.short, family=run.family, how=one.how, found=curve)
        for run in panel.runs
        for one in (probabilities.get(run.key),)
        if one is not None and (truth >= 0).any()
        for curve in (calibration(one.given, truth, sample=panel.sample),)
    )
    return RunFigures(target, _measures(panel, target), _distributions(panel, probabilities), calibrated)


def _measures(panel: Panel, target: str) -> Lines | None:
    """Each run that names labels, after one person, who is held against the others' majority or the reference."""
    truth = panel.true(target)
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
    return Lines(tuple(measures), tuple(lines))


def _distributions(panel: Panel, probabilities: Mapping[str, Probabilities]) -> Lines | None:
    """Each run against the shares of people's labels, after what people are to one another."""
    runs = [run for run in panel.runs if run.key in probabilities or names_labels(run.decided)]
    if not runs or not panel.has_labels:
        return None
    lines = [*_people(panel), *(_distribution(run, panel, probabilities.get(run.key)) for run in runs)]
    return Lines((JENSEN_SHANNON, TOTAL_VARIATION, CROSS_ENTROPY), tuple(lines))


def _people(panel: Panel) -> tuple[Line, Line]:
    counts, sample = panel.counts, panel.sample
    distances = (divergence.distances, divergence.variations)
    one = [divergence.one_person(counts, own, sample=sample) for own in distances]
    half = [divergence.half(counts, own, sample=sample) for own in distances]
    floor = people_entropy(counts, sample=sample)
    none = Estimate.none(NOT_OF_HALVES)
    floor_text = "" if floor.value is None else f"; the entropy of the labels is {floor.number} bits"
    return (
        Line(ONE, "", False, f"against the others{floor_text}", (*one, by_the_others(counts, sample=sample))),
        Line(HALF, "", False, "against the other half", (*half, none)),
    )


def _distribution(run: RunColumn, panel: Panel, own: Probabilities | None) -> Line:
    counts, sample = panel.counts, panel.sample
    probabilities = one_hot(run.decided, values=len(panel.values)) if own is None else own.given
    bits = Estimate.none(NO_PROBABILITIES) if own is None else cross_entropy(counts, probabilities, sample=sample)
    near = divergence.jensen_shannon(counts, probabilities, sample=sample)
    moved = divergence.total_variation(counts, probabilities, sample=sample)
    name, how = (run.title, ONE_LABEL) if own is None else (run.name, own.how)
    return Line(name, run.family, run.is_baseline, how, (near, moved, bits))


def _compute(chosen: Selected, target: str) -> RunFigures:
    probabilities = read_probabilities(chosen.study, chosen.panel, coarse=chosen.asked.coarse)
    return run_figures(chosen.panel, probabilities, target=target)


def _answer(chosen: Selected) -> str | None:
    figures, one = RUN_FIGURES.read(chosen), chosen.study.people.one
    if not (figures.measures or figures.distributions):
        return None
    parts = [_with_person(figures.measures, MCC, one=one)] if figures.measures else []
    parts += [_with_person(figures.distributions, TOTAL_VARIATION, one=one)] if figures.distributions else []
    return " ".join(f"{part}." for part in parts)


def _with_person(table: Lines, statistic: Statistic, *, one: str) -> str:
    """The runs' spread, and what one person reaches."""
    at = table.statistics.index(statistic)
    models = spread(line.estimates[at] for line in table.lines if line.family)
    person = next((line.estimates[at] for line in table.lines if not line.family and not line.is_half), None)
    reached = f" (one {one}: {person.number})" if person is not None and person.value is not None else ""
    return f"{statistic.name}: {models}{reached}"


def _tables(chosen: Selected) -> Iterator[Table]:
    figures, people = RUN_FIGURES.read(chosen), chosen.study.people
    if figures.measures:
        title = f"Measures robust to skewed labels, against {chosen.target_words}"
        yield _table("measures", title, figures.measures, people)
    if figures.distributions:
        title = f"Runs’ probabilities compared with the shares of {people.labels}"
        yield _table("distributions", title, figures.distributions, people)


def _table(name: str, title: str, lines: Lines, people: Words) -> Table:
    meanings = "; ".join(f"{one.name}: {term_of(one.term).what.rstrip('.')}" for one in lines.statistics)
    meanings = meanings.replace("people’s labels", people.labels)
    return Table(
        name=name,
        title=title,
        columns=("Rater", *(Column(one.name, one.term) for one in lines.statistics)),
        rows=tuple((line.rater(people), *line.estimates) for line in lines.lines),
        rests_on=f"{meanings}. n of each value, in column order",
        method=DRAWN,
    )


def _lines(chosen: Selected) -> Iterator[Row]:
    """Against the majority and the reference, each where it is there."""
    for target in TARGETS:
        figures = RUN_FIGURES.read(chosen, target)
        if figures.measures:
            yield from _lines_of(figures.measures, "measures", target)
        for run in figures.calibrated:
            yield from _calibration_lines(run, target)
        # The shares of people's labels are the same whatever is taken as true.
        if figures.distributions and target == TARGETS[0]:
            yield from _lines_of(figures.distributions, "distributions", "people’s labels")


def _lines_of(lines: Lines, section: str, against: str) -> Iterator[Row]:
    for line, figures in lines.named:
        for statistic, figure in figures:
            yield [section, line.name, line.family, against, statistic.term, *estimated(figure, how=line.how)]


def _calibration_lines(run: CalibratedRun, target: str) -> Iterator[Row]:
    head = ["calibration", run.name, run.family, target]
    curve = run.found
    yield [*head, "ece", *estimated(curve.ece, how=run.how)]
    if curve.by_chance is not None:
        yield [*head, "ece_by_chance", *estimated(Estimate(curve.by_chance, n=curve.ece.n))]
    yield [*head, "confidence_less_accuracy", *estimated(curve.lead)]
    for number, one in enumerate(curve.bins, 1):
        how = f"probability from {one.low:.4f} to {one.high:.4f}, mean {one.confidence:.4f}"
        yield [*head, f"bin_{number}_accuracy", *estimated(one.accuracy, how=how)]


RUN_FIGURES = Figure(
    key="run-figures",
    part="models",
    title="More metrics",
    shape=TypeAdapter(RunFigures),
    rests_on=lambda chosen: (chosen.selection.against,),
    compute=_compute,
    answer=_answer,
    tables=_tables,
    lines=_lines,
    download=Download(
        says="balanced accuracy, F1, calibration, distributions",
        line="a further statistic of a run; lines of the report",
    ),
)
