"""A study's figures for the results and the report, computed once for each state of the data."""

from collections.abc import Callable, Mapping

from pydantic import TypeAdapter

from comparison.frame.judging import measured, rated_as, strength_target
from comparison.frame.selected import Selected
from comparison.page.item_table import ItemTable, item_tables
from comparison.page.models_part.two_runs import TwoRuns, two_runs
from comparison.page.people_part.assessors import Assessors, assessors
from comparison.pictures.charts import Spec
from comparison.pictures.engine import DRAWING, Drawing, draw

ASSESSORS = TypeAdapter(Assessors)
CHARTS = TypeAdapter(dict[str, Spec])
TABLE = TypeAdapter(ItemTable)
TWO_RUNS: TypeAdapter[TwoRuns | None] = TypeAdapter(TwoRuns | None)
# Pages of items that are made together: a thousand items.
TOGETHER = 40


def read_charts(chosen: Selected, part: str, compute: Callable[[], dict[str, Spec]]) -> dict[str, Spec]:
    """The charts of a part by name. They rest on every choice that its address makes, and so do their words.

    Altair takes longer to write one than all else of its page takes to be read.
    """
    return chosen.remembered(CHARTS, ["charts", part, chosen.selection.query()], compute)


def read_drawings(chosen: Selected, charts: Mapping[str, Spec]) -> dict[str, Drawing]:
    """Charts by name, each drawn once: what is drawn is all that a drawing rests on."""

    def compute(names: list[str]) -> dict[str, Drawing]:
        return {name: draw(charts[name]) for name in names}

    return chosen.each_remembered(DRAWING, {name: ["drawing", spec] for name, spec in charts.items()}, compute)


def read_two_runs(chosen: Selected) -> TwoRuns | None:
    """The run that is looked at and the one beside it; None where they are not two."""
    run, beside, against = chosen.selection.run, chosen.selection.beside, chosen.selection.against
    if not run or not beside or run == beside:
        return None

    def compute() -> TwoRuns | None:
        panel = chosen.panel
        target = strength_target(panel.counts, panel.truth, panel.published, against=against)
        measure = measured(chosen.study.measure, target, ordered=panel.ordered)
        rated = rated_as(target, panel.counts, panel.truth, panel.published, ordered=panel.ordered)
        return two_runs(panel, run, beside, target=against, measure=measure, rated=rated)

    return chosen.remembered(TWO_RUNS, chosen.of_items("two runs", run, beside, against), compute)


def read_table(chosen: Selected) -> ItemTable:
    """The page that is asked for; of a large study its neighbors come with it, for whoever turns pages."""
    asked = chosen.selection

    def parts(page: int) -> list[object]:
        return chosen.of_items("items", asked.sort, asked.run, asked.surprisal_of, asked.runs, page)

    def compute() -> ItemTable:
        found = item_tables(chosen.panel, asked, chosen.numbers(), together=TOGETHER if chosen.is_large else 1)
        chosen.each_remembered(TABLE, {page: parts(page) for page in found}, lambda pages: found)
        return found.get(asked.page) or found[max(found)]

    return chosen.remembered(TABLE, parts(asked.page), compute)


def read_assessors(chosen: Selected) -> Assessors:
    """The annotators who are shown one by one, and each two of them."""
    shown = chosen.assessors
    return chosen.remembered(ASSESSORS, chosen.of_items("assessors", shown), lambda: assessors(chosen.panel, shown))
