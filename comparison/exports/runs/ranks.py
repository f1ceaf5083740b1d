"""Figures of ranks for each run: over all items selected and for each value of each attribute, one line each."""

from collections.abc import Iterator
from dataclasses import replace

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.ranks import read_ranks
from comparison.frame.selected import select
from comparison.statistics.strengths.ranks import RankRow, no_ranks, rank_row, rank_rows

HEADER = [
    *ORIGIN, "items_selected", "run", "attribute", "value", "items", "context", "statistic", "estimate", "low", "high",
    "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def ranks(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the attribute that is named, or of all: every value, however rare, or bin. Runs without ranks say so."""
    chosen = select(study, selection.with_classes(""))
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words()]
    ranked = {run.key: run for run in read_ranks(study, panel)}
    for column in panel.runs:
        run = ranked.get(column.key)
        if run is None:
            yield from _lines([*head, column.name, "", ""], rank_row("", no_ranks(len(panel.items)), None))
            continue
        yield from _lines([*head, run.name, "", ""], rank_row("", run.context, run.neutral))
        for name in [selection.by] if selection.by else panel.attributes:
            taken = replace(selection, by=name).taken(chosen.whole)
            for row in rank_rows(taken.of(panel), run.context, run.neutral, order=taken.order):
                yield from _lines([*head, run.name, name, row.value], row)


def _lines(head: Row, row: RankRow) -> Iterator[Row]:
    for context, figures in row.contexts:
        for statistic, found, count in figures.named:
            cells = [found.value, found.low, found.high, found.n, found.unit, count, found.undefined, found.remarks]
            yield [*head, row.items, context, statistic, *cells]
