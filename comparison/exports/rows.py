"""What an export is: a function from a study and a selection to rows, the first of which is the header."""

from collections.abc import Callable, Iterator
from typing import Any

from annotation.models import Study
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import Selected, select
from comparison.statistics.estimate import Estimate

Row = list[Any]
# A line whose cells are as they stand in the file, one or several in a text: of exports of millions of lines, where
# values are mostly the same.
Written = tuple[str, ...]
Export = Callable[[Study, Selection], Iterator[Row | Written]]
FigureLines = Callable[[Selected], Iterator[Row]]

# Every file says on every line which study it is from and whose labels it holds, so that synthetic labels
# stay marked however a file is cut and joined.
ORIGIN = ["study", "population"]
# A figure a line: the report, and the files that are parts of it.
FIGURES = [
    *ORIGIN, "items_selected", "classes", "section", "rater", "family", "against", "statistic", "value", "low", "high",
    "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def origin(study: Study) -> Row:
    return [study.slug, study.population]


def estimated(found: Estimate, count: int | None = None, *, how: str = "") -> Row:
    """An estimate's cells: value, low, high, n, n_counts, count, undefined, note."""
    note = "; ".join(part for part in (how, found.remarks) if part)
    return [found.value, found.low, found.high, found.n, found.unit, count, found.undefined, note]


def figure_rows(study: Study, selection: Selection, lines: FigureLines) -> Iterator[Row]:
    """A part of the report as a file of its own: `lines` of the selected items, from the section on."""
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    yield FIGURES
    head = [*origin(study), words, len(chosen.outline.values)]
    yield from ([*head, *line] for line in lines(chosen))


def number(value: float) -> float | None:
    """A number for a cell; NaN, which marks absence inside the house, leaves it as an empty cell."""
    return None if value != value else float(value)
