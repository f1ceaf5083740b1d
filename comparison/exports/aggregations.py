"""Other ways to aggregate: what each finds, every run's accuracy against it, and each person's reliability."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, estimated, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel
from comparison.frame.selected import select
from comparison.frame.ways import Way
from comparison.page.aggregations import WayFinding
from comparison.page.reading import compute_aggregations

HEADER = [
    *ORIGIN, "items_selected", "classes", "way", "rater", "family", "against", "statistic", "value", "low", "high", "n",
    "n_counts", "count", "undefined", "note",
]  # fmt: skip


def aggregation_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Way after way, as they are computed: what nobody has asked for yet may take minutes."""
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    panel = chosen.panel
    head = [*origin(study), words, len(panel.values)]
    for way, found in compute_aggregations(chosen):
        yield from ([*head, way.key, *line] for line in way_lines(way, found, panel))
        for rater, value in found.raters.items():
            yield [*head, way.key, rater, "", "", "reliability", value, *[None] * 5, "", way.reliable]


def way_lines(way: Way, found: WayFinding, panel: Panel) -> Iterator[Row]:
    """One way's figures, people apart: what the report has of it."""
    if found.undefined:
        yield ["people", "", way.key, "labeled", None, None, None, 0, "items", None, found.undefined, ""]
        return
    for name, count in (("labeled", found.labeled), ("ties", found.ties)):
        yield ["people", "", way.key, name, None, None, None, len(panel.items), "items", count, "", ""]
    if not way.is_majority:
        yield ["majority", "", way.key, "accuracy_aggregated", *estimated(found.same)]
    yield [way.key, "", "reference", "accuracy_aggregated", *estimated(found.reference)]
    for run in panel.runs:
        if run.key in found.runs:
            how = run.cuts.words if run.cuts and run.is_cut else ""
            yield [run.name, run.family, way.key, "accuracy_aggregated", *estimated(found.runs[run.key], how=how)]
