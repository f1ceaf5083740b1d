"""Shares of labels for each value of each attribute, whoever they are of: one line a label."""

from collections.abc import Iterator
from dataclasses import replace

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, estimated, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.by_attribute.label_shares import labelers, shares_of

HEADER = [
    *ORIGIN, "items_selected", "classes", "attribute", "value", "items", "labels_of", "label", "share", "low", "high",
    "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def share_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the attribute that is named, or of all; of whose labels are named, or of all who have any."""
    chosen = select(study, selection)
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words(), len(panel.values)]
    for name in [selection.by] if selection.by else panel.attributes:
        column = replace(selection, by=name).taken(chosen.whole)
        for labeler in labelers(chosen.outline, study.people):
            if selection.shares_of not in ("", labeler.key):
                continue
            for one in shares_of(panel, column, labeler.key):
                for value, share in zip(panel.values, one.shares, strict=True):
                    yield [
                        *head, name, one.value, one.items, labeler.name, value, *estimated(share.share, share.count)
                    ]  # fmt: skip
