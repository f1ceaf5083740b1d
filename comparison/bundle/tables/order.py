"""The tables of a bundle, in the order in which a reader meets them."""

from collections.abc import Callable

from comparison.bundle.tables import people
from comparison.figures.models.verdict import VERDICT
from comparison.figures.registry import FIGURES
from comparison.figures.table import Table
from comparison.page.page import Page

# Each gives None where the study has nothing to put in it.
TABLES: tuple[Callable[[Page], Table | None], ...] = (
    people.agreement,
    people.labels,
    people.assessors,
)


def tables(page: Page) -> tuple[Table, ...]:
    """None of the two runs that a reader puts side by side."""
    found = [one for table in TABLES if (one := table(page)) is not None]
    others = [figure for figure in FIGURES if figure is not VERDICT and figure.part != "beside"]
    return (*VERDICT.tables(page.chosen), *found, *(one for figure in others for one in figure.tables(page.chosen)))
