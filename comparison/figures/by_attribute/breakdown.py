"""Accuracy and agreement for each value of an attribute."""

from collections.abc import Iterator

from pydantic import TypeAdapter

from annotation.models.population import Words
from comparison.figures.by_attribute.attribute import DRAWN_VALUES, SHOWN_VALUES, ByAttribute, columns
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.table import BOTH, TWO_WAY, Cell, Table
from comparison.frame.filters.columns import TakenColumn
from comparison.frame.panel import NamedRun, Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import BASELINE, MODEL, Dot, dot_plot
from comparison.statistics.accuracy.breakdown import Group, breakdown
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.evidence import REFERENCE

Groups = tuple[Group, ...]
# As many runs as a table on paper has columns for.
TABLED = 3
# Of fewer labels or items nothing is shown: an interval would be the whole scale.
FEW = 5
TOO_FEW = "too few labels"


def groups(panel: Panel, column: TakenColumn, *, target: str, most: int | None = None) -> Groups:
    """One a value, the most frequent first, or in the order of bins."""
    return breakdown(
        column.of(panel),
        panel.counts,
        panel.true(target),
        {run.key: run.decided for run in panel.runs},
        of_references=target == REFERENCE,
        voices=panel.voices,
        order=column.order,
        most=most,
        sample=panel.sample,
    )


def one_person(group: Group) -> Estimate:
    """One person as pages and the report show it; the file has every number with its n."""
    estimate = group.person
    return (
        Estimate.none(TOO_FEW, n=estimate.n, unit=estimate.unit)
        if estimate.value is not None and estimate.n < FEW
        else estimate
    )


def _compute(chosen: Selected, taking: tuple[object, ...], against: str) -> Groups:
    if not against or not chosen.selection.by or not (chosen.outline.has_labels or chosen.outline.compared):
        return ()
    return groups(chosen.panel, chosen.selection.taken(chosen.whole), target=against, most=SHOWN_VALUES)


def _tables(chosen: Selected) -> Iterator[Table]:
    """With the nearest runs; the file has every run and every value."""
    by_value, about, by = BREAKDOWN.read(chosen), chosen.outline, ByAttribute(chosen)
    if not by_value:
        return
    deciding = [run for run in about.runs if run.key in about.deciding]
    runs = [run for run in deciding if run.key in chosen.selection.runs][:TABLED] or deciding[:1]
    rarer = by.size - len(by_value)
    every = f"; {rarer:,} rarer values are in tables/breakdown.csv" if rarer else ""
    annotator = chosen.study.people.annotators.removesuffix("s")
    people = ("Agreement", f"One {annotator}") if about.has_labels else ()
    yield Table(
        name="breakdown",
        title=f"Accuracy against {chosen.target_words} by {by.name}",
        columns=(by.name, "Items", *people, *(run.title for run in runs)),
        rows=tuple(_row(group, runs, has_labels=about.has_labels) for group in by_value),
        rests_on=f"n of each value, in column order{every}",
        method=f"{BOTH}; for one {annotator}, {TWO_WAY}" if people else BOTH,
    )


def _row(group: Group, runs: list[NamedRun], *, has_labels: bool) -> tuple[Cell, ...]:
    people: tuple[Estimate, ...] = (group.agreement, one_person(group)) if has_labels else ()
    return (group.value, group.items, *people, *(group.runs[run.key].accuracy for run in runs))


def _charts(chosen: Selected) -> dict[str, Chart]:
    """One run for each value, and one person; the most frequent values, of which there may be more."""
    run, people = chosen.outline.run(chosen.selection.run), chosen.study.people
    drawn = dot_plot(
        [dot for group in BREAKDOWN.read(chosen)[:DRAWN_VALUES] for dot in _dots(group, run, people)],
        axis=f"Accuracy against {chosen.selection.against}",
        band=None,
        domain=(0, 1),
        title=synthetic(people),
    )
    return Chart.of("breakdown", drawn, _caption(chosen))


def _dots(group: Group, run: NamedRun | None, people: Words) -> list[Dot | None]:
    row = f"{group.value} ({group.items:,})"
    dots = [Dot.of(row, f"One {people.one}", people.many, one_person(group))]
    if run is not None:
        kind = BASELINE if run.is_baseline else MODEL
        dots.append(Dot.of(row, run.title, kind, group.runs[run.key].accuracy))
    return dots


def _caption(chosen: Selected) -> str:
    run = chosen.outline.run(chosen.selection.run)
    drawn = "no run" if run is None else f"{run.title} ({'diamond' if run.is_baseline else 'circle'})"
    has_person = any(one_person(group).value is not None for group in BREAKDOWN.read(chosen)[:DRAWN_VALUES])
    people = f" and one {chosen.study.people.one} (square)" if has_person else ""
    more = f" The chart shows the {DRAWN_VALUES} most frequent values; the table has all."
    return (
        f"Accuracy of {drawn}{people} by {chosen.selection.by}, against {chosen.target_words}; "
        f"95 % intervals.{more if len(BREAKDOWN.read(chosen)) > DRAWN_VALUES else ''}"
    )


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of the attribute that is named, or of all; every value, however rare, of a number every bin."""
    panel = chosen.rows
    for name, column in columns(chosen, chosen.asked, panel.attributes):
        for target in ("majority", "reference"):
            for group in groups(panel, column, target=target):
                head = [name, group.value, group.items]
                yield from ([*head, *line] for line in (*_of_people(group), *_of_runs(group, panel, target)))


def _of_people(group: Group) -> Iterator[Row]:
    """From the rater on."""
    if group.majority is None:
        yield ["people", "", "percent_agreement", *estimated(group.agreement)]
        yield ["one person", "majority of the others", "accuracy", *estimated(group.person)]
        return
    yield ["one person", "reference", "accuracy", *estimated(group.person)]
    yield ["majority", "reference", "accuracy", *estimated(group.majority.accuracy, group.majority.correct)]


def _of_runs(group: Group, panel: Panel, target: str) -> Iterator[Row]:
    for run in panel.runs:
        hits, cuts = group.runs[run.key], run.cuts.words if run.cuts and run.is_cut else ""
        statistic = "accuracy_by_cuts" if run.cuts and run.is_cut else "accuracy"
        yield [run.name, target, statistic, *estimated(hits.accuracy, hits.correct, how=cuts)]


BREAKDOWN = Figure(
    key="breakdown",
    part="breakdown",
    title="Breakdown",
    shape=TypeAdapter(Groups),
    rests_on=lambda chosen: (chosen.selection.taking, ByAttribute(chosen).against),
    compute=_compute,
    tables=_tables,
    charts=_charts,
    download=Download(
        says="accuracy and agreement for each value of each attribute",
        line="a statistic for one value of an attribute, or one bin of a number",
        columns=("attribute", "value", "items", "rater", "against", "statistic", "estimate", *CELLS[1:]),
        lines=_lines,
        of_rows=True,
    ),
)
