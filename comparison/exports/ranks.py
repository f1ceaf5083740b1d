"""Figures of ranks for each run: over all items selected and for each value of each attribute, one line each."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.frame.ranks import read_ranks
from comparison.frame.reading import read_panel
from comparison.frame.selection import Selection, fitted
from comparison.statistics.strengths.ranks import RankRow, no_ranks, rank_row, rank_rows

HEADER = [
    *ORIGIN, "items_selected", "run", "attribute", "value", "items", "context", "statistic", "estimate", "low", "high",
    "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def ranks(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the attribute that is named, or of all; every value, however rare. Runs without ranks say so."""
    whole = read_panel(study, coarse=False)
    chosen = fitted(selection, whole)  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    mask = chosen.mask(whole)
    panel = whole.where(mask)
    head = [*origin(study), chosen.words()]
    ranked = {run.key: run.where(mask) for run in read_ranks(study, whole)}
    for column in panel.runs:
        run = ranked.get(column.key)
        if run is None:
            yield from _lines([*head, column.name, "", ""], rank_row("", no_ranks(len(panel.items)), None))
            continue
        yield from _lines([*head, run.name, "", ""], rank_row("", run.context, run.neutral))
        for name in [selection.by] if selection.by else panel.attributes:
            for row in rank_rows(panel.attributes[name], run.context, run.neutral):
                yield from _lines([*head, run.name, name, row.value], row)


def _lines(head: Row, row: RankRow) -> Iterator[Row]:
    for context, figures in row.contexts:
        for statistic, found, count in figures.named:
            cells = [found.value, found.low, found.high, found.n, found.unit, count, found.undefined, found.remarks]
            yield [*head, row.items, context, statistic, *cells]
