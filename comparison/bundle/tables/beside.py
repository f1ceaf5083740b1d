"""The table that sets runs beside each value of an attribute."""

from collections.abc import Iterator

from comparison.figures.findings import RunFinding
from comparison.figures.table import BOTH, Cell, Table
from comparison.page.page import Page
from comparison.statistics.estimate import Estimate


def breakdown(page: Page) -> Table | None:
    """By the attribute with the fewest values, and the nearest runs; tables/breakdown.csv has every one of both."""
    if not page.groups:
        return None
    by, people = page.selection.by, page.study.people
    runs = [run for run in page.deciding if run.key in page.selection.runs] or page.deciding[:1]
    left = page.group_count - len(page.groups)
    every = f"; {left:,} rarer values are in tables/breakdown.csv" if left else ""
    return Table(
        name="breakdown",
        title=f"Accuracy against {page.chosen.target_words} by {by}",
        columns=(by, "Items", *(("Agreement", f"One {people.one}") if page.outline.has_labels else ()), *_titles(runs)),
        rows=tuple(_breakdown_rows(page, [run.key for run in runs])),
        rests_on=f"n is of each figure, in the order of the columns{every}",
        method=BOTH,
    )


def _titles(runs: list[RunFinding]) -> tuple[str, ...]:
    return tuple(run.title for run in runs)


def _breakdown_rows(page: Page, runs: list[str]) -> Iterator[tuple[Cell, ...]]:
    for group in page.groups:
        people: tuple[Estimate, ...] = (group.agreement, group.person) if page.outline.has_labels else ()
        yield (group.value, f"{group.items:,}", *people, *(group.runs[run].accuracy for run in runs))
