"""Confusion matrices of every run against majority and reference, one line a cell."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import select
from comparison.statistics.accuracy.confusion import cell_shares, confusion
from comparison.statistics.counts import MISSING, Ints

HEADER = [
    *ORIGIN, "items_selected", "classes", "run", "against", "label", "decision", "decided_by", "count", "share_of_row",
    "row_low", "row_high", "row_n", "share_of_all", "all_low", "all_high", "all_n", "undefined", "note",
]  # fmt: skip
# From the share of the row to that of all items: of lines that have none.
NO_SHARES = [None] * 8
NO_MAJORITY, NO_REFERENCE = "no item has a majority label", "no item has a reference"
UNDECIDED = "undecided items are in no share"


def confusion_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the run that is named, or of all. A decision of nothing counts the items that the run left undecided.

    Against what no item has there is no matrix, but one line that says so.
    """
    chosen = select(study, selection)
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words(), len(panel.values)]
    sides = (
        ("majority", panel.majority, panel.no_majority or NO_MAJORITY),
        ("reference", panel.truth, NO_REFERENCE),
    )
    for run in panel.runs:
        if selection.run not in ("", run.key):
            continue
        by = "cut points" if run.is_cut else "run"
        for target, truth, reason in sides:
            line = [*head, run.name, target]
            if (truth == MISSING).all():
                yield [*line, None, None, by, None, *NO_SHARES, reason, ""]
                continue
            yield from ([*line, *cells] for cells in _cells(run, truth, by, panel))


def _cells(run: RunColumn, truth: Ints, by: str, panel: Panel) -> Iterator[Row]:
    """From the label on."""
    for true, row in enumerate(confusion(run.decided, truth, panel.values)):
        for given, one in enumerate(row.cells):
            of_row, of_all = cell_shares(run.decided, truth, true=true, given=given, sample=panel.sample)
            shares = (found for share in (of_row, of_all) for found in (share.value, share.low, share.high, share.n))
            yield [row.value, one.value, by, one.count, *shares, of_row.undefined, of_row.remarks]
        yield [row.value, None, by, row.undecided, *NO_SHARES, "", UNDECIDED]
