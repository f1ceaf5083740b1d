"""One line an item: people's labels beside every run's decision and strength."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.exports.rows import ORIGIN, Row, number, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import select
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.strengths.correlation import people_score


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
    # Whole columns at once: a cell at a time is asked of numpy fifty times a line.
    for cells in zip(*_columns(panel, has_published=has_published), strict=True):
        yield [*origin(study), *cells]


def _columns(panel: Panel, *, has_published: bool) -> list[Row]:
    """What the header names, from the item on."""
    scores = people_score(panel.counts, ordered=panel.ordered)
    return [
        panel.items.tolist(),
        panel.groups.tolist(),
        panel.texts.tolist(),
        *(column.tolist() for column in panel.attributes.values()),
        _values(panel, panel.truth),
        *([_numbers(panel.published)] if has_published else []),
        *panel.counts.T.tolist(),
        _values(panel, panel.majority),
        panel.kinds.tolist(),
        _numbers(scores),
        _numbers(panel.among_people),
        *(column for run in panel.runs for column in _answers(panel, run)),
        _numbers(panel.divergence(panel.compared)),
    ]


def _parts(run: RunColumn) -> list[str]:
    """Degrees by cut points have a column of their own: they are not the run's decisions."""
    return ["decision", "strength", "unscored", *(["degree_by_cuts"] if run.is_cut else [])]


def _answers(panel: Panel, run: RunColumn) -> list[Row]:
    said, strengths, reasons = _values(panel, run.decided), _numbers(run.strengths), run.unscored.tolist()
    return [[None] * len(said), strengths, reasons, said] if run.is_cut else [said, strengths, reasons]


def _values(panel: Panel, codes: Ints) -> Row:
    """Labels; None where a code is MISSING, which is the last place of a list."""
    names = [*panel.values, None]
    return [names[code] for code in codes.tolist()]


def _numbers(column: Floats) -> Row:
    return [number(value) for value in column.tolist()]
