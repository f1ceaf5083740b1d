"""The tables of a bundle, in the order in which a reader meets them."""

from collections.abc import Callable

from comparison.bundle import beside_tables, people_tables, run_tables
from comparison.bundle.table import Table
from comparison.page.page import Page

# Each gives None where the study has nothing to put in it.
TABLES: tuple[Callable[[Page], Table | None], ...] = (
    run_tables.verdict,
    people_tables.agreement,
    people_tables.labels,
    run_tables.accuracy,
    run_tables.strength,
    run_tables.classes,
    run_tables.confusion,
    run_tables.measures,
    run_tables.distributions,
    run_tables.calibration,
    beside_tables.pairs,
    beside_tables.beside_person,
    beside_tables.alternative,
    beside_tables.breakdown,
)


def tables(page: Page) -> tuple[Table, ...]:
    return tuple(found for table in TABLES if (found := table(page)) is not None)
