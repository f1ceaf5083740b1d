"""Accuracy and agreement for each value of each attribute, one line each."""

from collections.abc import Iterator
from dataclasses import replace

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, origin
from comparison.frame.filters.columns import Taken
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel
from comparison.frame.selected import select
from comparison.statistics.accuracy.breakdown import Group, breakdown
from comparison.statistics.estimate import Estimate

HEADER = [
    *ORIGIN, "items_selected", "classes", "attribute", "value", "items", "rater", "against", "statistic", "estimate",
    "low", "high", "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def breakdown_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the attribute that is named, or of all; every value, however rare, of a number every bin."""
    chosen = select(study, selection)
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words(), len(panel.values)]
    for name in [selection.by] if selection.by else panel.attributes:
        column = replace(selection, by=name).taken(chosen.whole)
        yield from ([*head, name, *line] for line in _lines(panel, column))


def _lines(panel: Panel, column: Taken) -> Iterator[Row]:
    runs = {run.key: run.decided for run in panel.runs}
    names = {run.key: run.name for run in panel.runs}
    cuts = {run.key: run.cuts.words for run in panel.runs if run.cuts and run.is_cut}
    targets = {"majority": panel.majority, "reference": panel.truth}
    for target, truth in targets.items():
        found = breakdown(
            column.of(panel),
            panel.counts,
            truth,
            runs,
            of_references=target == "reference",
            order=column.order,
            sample=panel.sample,
        )
        for group in found:
            yield from ([group.value, group.items, *line] for line in _of_people(group))
            for run, hits in group.runs.items():
                statistic = "accuracy_by_cuts" if run in cuts else "accuracy"
                line = [group.value, group.items, names[run], target, statistic]
                yield [*line, *_cells(hits.accuracy, hits.correct, note=cuts.get(run, ""))]


def _of_people(group: Group) -> Iterator[Row]:
    """From the rater on."""
    if group.majority is None:
        yield ["people", "", "percent_agreement", *_cells(group.agreement)]
        yield ["one person", "majority of the others", "accuracy", *_cells(group.person)]
        return
    yield ["one person", "reference", "accuracy", *_cells(group.person)]
    yield ["majority", "reference", "accuracy", *_cells(group.majority.accuracy, group.majority.correct)]


def _cells(found: Estimate, count: int | None = None, *, note: str = "") -> Row:
    notes = "; ".join(part for part in (note, found.remarks) if part)
    return [found.value, found.low, found.high, found.n, found.unit, count, found.undefined, notes]
