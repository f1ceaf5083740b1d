"""The tables of a bundle, in the order in which a reader meets them."""

from collections.abc import Callable

from comparison.bundle.tables import beside, people, runs
from comparison.bundle.tables.table import Table
from comparison.page.page import Page

# Each gives None where the study has nothing to put in it.
TABLES: tuple[Callable[[Page], Table | None], ...] = (
    runs.verdict,
    people.agreement,
    people.labels,
    people.assessors,
    runs.accuracy,
    runs.strength,
    runs.classes,
    runs.confusion,
    runs.measures,
    runs.distributions,
    runs.calibration,
    beside.pairs,
    beside.beside_person,
    beside.alternative,
    beside.breakdown,
)


def tables(page: Page) -> tuple[Table, ...]:
    return tuple(found for table in TABLES if (found := table(page)) is not None)
