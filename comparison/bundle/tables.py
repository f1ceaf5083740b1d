"""The tables of a bundle, in the order in which a reader meets them: those of how people agree stand here."""

from collections.abc import Callable

from comparison.figures.models.verdict import VERDICT
from comparison.figures.registry import FIGURES
from comparison.figures.table import DRAWN, WILSON, Table
from comparison.frame.assessors import Assessor
from comparison.page.page import Page


def assessors(page: Page) -> Table | None:
    """Single annotators, by their numbers: a file's names may be a platform's ids. Only of a small study."""
    found, people = page.assessors.found, page.study.people
    if not found:
        return None
    columns = ["Annotator", "Labels", "Accuracy, majority of the others", "κ", "Accuracy, reference", "κ"]
    held = 5 if page.outline.has_references else 3
    rows = [
        (
            Assessor(one.assessor.key, one.assessor.key).title(people.one),
            *(f"{one.labels:,}", one.others.hits.accuracy, one.others.kappa),
            *(one.reference.hits.accuracy, one.reference.kappa),
        )
        for one in found
    ]
    return Table(
        name="assessors",
        title=f"Single {people.many} as raters",
        columns=tuple(columns[: held + 1]),
        rows=tuple(row[: held + 1] for row in rows),
        rests_on="n is of items that the annotator and the target have labeled",
        method=f"{WILSON} (accuracy); {DRAWN} (κ)",
    )


# Each gives None where the study has nothing to put in it.
TABLES: tuple[Callable[[Page], Table | None], ...] = (assessors,)


def tables(page: Page) -> tuple[Table, ...]:
    """None of the two runs that a reader puts side by side."""
    found = [one for table in TABLES if (one := table(page)) is not None]
    others = [figure for figure in FIGURES if figure is not VERDICT and figure.part != "beside"]
    return (*VERDICT.tables(page.chosen), *found, *(one for figure in others for one in figure.tables(page.chosen)))
