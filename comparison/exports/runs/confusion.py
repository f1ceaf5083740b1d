"""Confusion matrices of every run against majority and reference, one line a cell."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.statistics.accuracy.confusion import confusion

HEADER = [
    *ORIGIN, "items_selected", "classes", "run", "against", "label", "decision", "decided_by", "count", "share_of_row",
    "share_of_all",
]  # fmt: skip


def confusion_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the run that is named, or of all. A decision of nothing counts the items that the run left undecided."""
    chosen = select(study, selection)
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words(), len(panel.values)]
    for run in panel.runs:
        if selection.run not in ("", run.key):
            continue
        by = "cut points" if run.is_cut else "run"
        for target, truth in (("majority", panel.majority), ("reference", panel.truth)):
            rows = confusion(run.decided, truth, panel.values)
            total = sum(row.total for row in rows)
            for row in rows:
                for one in row.cells:
                    shares = [one.share, one.count / total if total else None]
                    yield [*head, run.name, target, row.value, one.value, by, one.count, *shares]
                yield [*head, run.name, target, row.value, None, by, row.undecided, None, None]
