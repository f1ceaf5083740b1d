"""A study's figures for the results and the report, computed once for each state of the data."""

from pydantic import TypeAdapter

from comparison.frame.selected import Selected
from comparison.page.item_table import ItemTable, item_tables
from comparison.page.people_part.assessors import Assessors, assessors

ASSESSORS = TypeAdapter(Assessors)
TABLE = TypeAdapter(ItemTable)
# Pages of items that are made together: a thousand items.
TOGETHER = 40


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
