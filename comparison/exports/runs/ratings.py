"""Runs' strengths beside what people said in numbers, over all items and for each condition."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, estimated, origin
from comparison.frame.filters.columns import taken
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.models_part.with_ratings import with_ratings

HEADER = [
    *ORIGIN, "items_selected", "classes", "rater", "against", "attribute", "condition", "statistic", "value", "low",
    "high", "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def rating_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """By the attribute that is named (`condition`), or by all; every value, however rare. People's halves come last."""
    chosen = select(study, selection)
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words(), len(panel.values)]
    names = [selection.condition] if selection.condition else ["", *panel.attributes]
    for place, name in enumerate(names):
        found = with_ratings(panel, taken(chosen.whole, name) if name else None)
        for row in found.rows if found else ():
            if place and not row.condition:
                continue  # All items stand once in the file.
            rater = row.name if row.key else f"{study.people.many} among themselves"
            line = [*head, rater, found.rated if found else "", name if row.condition else "", row.condition]
            yield [*line, "spearman", *estimated(row.spearman)]
            yield [*line, "pearson", *estimated(row.pearson)]
            yield [*line, "kendall", *estimated(row.kendall)]
