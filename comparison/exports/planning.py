"""What more items and labels would show, whether collecting may stop, and which item to label next."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.planning import Stopping, designs, next_items
from comparison.page.reading import read_ground, read_plans, read_stopping
from comparison.statistics.estimate import Estimate
from comparison.statistics.planning.plan import Planned

HEADER = [
    *ORIGIN, "items_selected", "part", "items", "labels_per_item", "labels", "run", "other_run", "statistic",
    "estimate", "low", "high", "n", "n_counts", "undefined", "note",
]  # fmt: skip
NEXT_HEADER = [*ORIGIN, "items_selected", "place", "item", "text", "labels", "narrows"]
STUDIES = 200


def planning_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """All items, whatever the filters: a plan is for a whole study."""
    chosen = select(study, selection)
    chosen.refuse()  # before the first line goes out
    yield HEADER
    head = [*origin(study), "all items"]
    found = read_ground(chosen)
    if not found.labeled:
        reason = Estimate.none(found.undefined)
        yield [*head, "plan", None, None, None, found.first, found.second, "", *_cells(reason)]
    for one in read_plans(chosen, designs(chosen.whole, study.labels_per_item), studies=STUDIES):
        yield from ([*head, *line] for line in _plan_lines(one, found.first, found.second))
    yield from ([*head, *line] for line in _stop_lines(read_stopping(chosen), study.labels_per_item))


def next_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """The items that wait for labels, the one whose next label narrows the interval the most first."""
    chosen = select(study, selection)
    panel = chosen.rows
    yield NEXT_HEADER
    head = [*origin(study), chosen.asked.words()]
    waiting = next_items(panel, study.labels_per_item)
    yield from ([*head, place, one.item, one.text, one.labels, one.share] for place, one in enumerate(waiting, 1))


def _plan_lines(one: Planned, first: str, second: str) -> Iterator[Row]:
    design = ["plan", one.design.items, one.design.labels, one.design.total]
    yield [*design, first, "", "accuracy", *_cells(one.accuracy)]
    yield [*design, "", "", "alpha", *_cells(one.alpha)]
    yield [*design, first, second, "power_apart", *_cells(one.apart)]
    yield [*design, first, "", "power_above_chance", *_cells(one.above_chance)]


def _stop_lines(found: Stopping, labels: int) -> Iterator[Row]:
    head = ["stopping", found.finished, labels, found.finished * labels]
    yield [*head, found.first, "", "accuracy_at_any_look", *_cells(found.accuracy)]
    if found.told is not None:
        told = found.told
        value = None if told.evidence is None else min(1.0, told.pairs / told.evidence)
        counts = f"{told.only_one} only the first right, {told.only_other} only the other"
        n = told.only_one + told.only_other
        yield [*head, found.first, found.second, "p_apart_at_any_look", value, None, None, n, "items or groups",
               told.undefined, counts]  # fmt: skip


def _cells(found: Estimate) -> Row:
    return [found.value, found.low, found.high, found.n, found.unit, found.undefined, found.remarks]
