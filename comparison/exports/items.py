"""One line an item: people's labels beside every run's decision and strength."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.exports.rows import ORIGIN, Row, number, origin
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.reading import read_panel
from comparison.frame.selection import Selection, fitted
from comparison.statistics.strengths.correlation import people_score


def items(study: Study, selection: Selection) -> Iterator[Row]:
    """Target items that pass the selection's filters, in the order of the item file."""
    whole = read_panel(study, coarse=selection.coarse)
    panel = whole.where(fitted(selection, whole).mask(whole))
    yield [
        *ORIGIN, "item", "group", "text", *(f"attribute:{name}" for name in panel.attributes), "reference",
        *(["published_strength"] if whole.has_published else []),
        *(f"labels:{value}" for value in panel.values), "majority", "agreement", "people_score", "people_differ",
        *(f"{part}:{run.name}" for run in panel.runs for part in _parts(run)), "divergence",
    ]  # fmt: skip
    scores = people_score(panel.counts, ordered=panel.ordered)
    divergence = panel.divergence(panel.compared)
    for row in range(len(panel.items)):
        yield [
            *origin(study),
            panel.items[row],
            panel.groups[row],
            panel.texts[row],
            *(column[row] for column in panel.attributes.values()),
            _value(panel, int(panel.truth[row])),
            *([number(panel.published[row])] if whole.has_published else []),
            *(int(count) for count in panel.counts[row]),
            _value(panel, int(panel.majority[row])),
            panel.kinds[row],
            number(scores[row]),
            number(panel.among_people[row]),
            *(part for run in panel.runs for part in _answers(panel, run, row)),
            number(divergence[row]),
        ]


def _parts(run: RunColumn) -> list[str]:
    """Degrees by cut points have a column of their own: they are not the run's decisions."""
    return ["decision", "strength", "unscored", *(["degree_by_cuts"] if run.is_cut else [])]


def _answers(panel: Panel, run: RunColumn, row: int) -> Row:
    said, strength, reason = _value(panel, int(run.decided[row])), number(run.strengths[row]), run.unscored[row]
    return [None, strength, reason, said] if run.is_cut else [said, strength, reason]


def _value(panel: Panel, code: int) -> str | None:
    return panel.values[code] if code >= 0 else None
