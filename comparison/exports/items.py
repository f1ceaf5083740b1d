"""One line an item: people's labels beside every run's decision and strength."""

from collections.abc import Callable, Iterator
from typing import Any

from numpy.typing import NDArray

from annotation.models import Study
from comparison.exports.rows import ORIGIN, Row, number, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import select
from comparison.statistics.strengths.correlation import people_score

# Lines whose cells are made at once.
BLOCK = 5_000
Array = NDArray[Any]
# How a part of a column becomes cells.
Told = Callable[[Array], Row]
Column = tuple[Array, Told]


def items(study: Study, selection: Selection) -> Iterator[Row]:
    """Target items that pass the selection's filters, in the order of the item file."""
    chosen = select(study, selection)
    panel, has_published = chosen.rows, chosen.whole.has_published
    yield [
        *ORIGIN, "item", "group", "text", *(f"attribute:{name}" for name in panel.attributes), "reference",
        *(["published_strength"] if has_published else []),
        *(f"labels:{value}" for value in panel.values), "majority", "agreement", "people_score", "people_differ",
        *(f"{part}:{run.name}" for run in panel.runs for part in _parts(run)), "divergence",
    ]  # fmt: skip
    # Columns of many lines at once: a cell at a time is asked of numpy fifty times a line.
    columns, head = _columns(panel, has_published=has_published), origin(study)
    for begin in range(0, len(panel.items), BLOCK):
        block = (told(column[begin : begin + BLOCK]) for column, told in columns)
        for cells in zip(*block, strict=True):
            yield [*head, *cells]


def _columns(panel: Panel, *, has_published: bool) -> list[Column]:
    """What the header names, from the item on."""
    values = _values(panel)
    return [
        (panel.items, _as_they_are),
        (panel.groups, _as_they_are),
        (panel.texts, _as_they_are),
        *((column, _as_they_are) for column in panel.attributes.values()),
        (panel.truth, values),
        *([(panel.published, _numbers)] if has_published else []),
        *((column, _as_they_are) for column in panel.counts.T),
        (panel.majority, values),
        (panel.kinds, _as_they_are),
        (people_score(panel.counts, ordered=panel.ordered), _numbers),
        (panel.among_people, _numbers),
        *(column for run in panel.runs for column in _answers(run, values)),
        (panel.divergence(panel.compared), _numbers),
    ]


def _parts(run: RunColumn) -> list[str]:
    """Degrees by cut points have a column of their own: they are not the run's decisions."""
    return ["decision", "strength", "unscored", *(["degree_by_cuts"] if run.is_cut else [])]


def _answers(run: RunColumn, values: Told) -> list[Column]:
    said, strengths, reasons = (run.decided, values), (run.strengths, _numbers), (run.unscored, _as_they_are)
    return [(run.decided, _nothing), strengths, reasons, said] if run.is_cut else [said, strengths, reasons]


def _values(panel: Panel) -> Told:
    """Labels by their codes; None where a code is MISSING, which is the last place of a list."""
    names = [*panel.values, None]
    return lambda codes: [names[code] for code in codes.tolist()]


def _numbers(column: Array) -> Row:
    return [number(value) for value in column.tolist()]


def _as_they_are(column: Array) -> Row:
    found: Row = column.tolist()
    return found


def _nothing(column: Array) -> Row:
    return [None] * len(column)
