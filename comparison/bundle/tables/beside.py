"""Tables that set runs beside one another, beside one person, and beside each value of an attribute."""

from collections.abc import Iterator

from comparison.figures.findings import RunFinding
from comparison.figures.table import BOTH, DRAWN, TWO_WAY, Cell, Table
from comparison.page.page import Page
from comparison.statistics.estimate import Estimate


def pairs(page: Page) -> Table | None:
    """Every two runs against what is held true."""
    found = page.between
    if found is None or not found.pairs:
        return None
    return Table(
        name="pairs",
        title=f"How much more often the first run is right than the second, against {page.chosen.target_words}",
        columns=("First", "Second", "Difference", "Only first right", "Only second right", "p", "p after Holm"),
        rows=tuple(
            (
                line.one.name,
                line.other.name,
                line.difference,
                f"{line.test.paired.only_one:,}",
                f"{line.test.paired.only_other:,}",
                line.test.paired.p_words,
                line.test.held_words,
            )
            for line in found.pairs
        ),
        rests_on=f"n is of items that both label; Holm’s correction is over {found.pairs[0].test.of:,} pairs",
        method=f"{DRAWN}; p is {found.pairs[0].test.paired.test}",
    )


def beside_person(page: Page) -> Table | None:
    """Each run and one person, held against the majority of the others."""
    found, one = page.between, page.study.people.one
    if found is None or not found.beside:
        return None
    return Table(
        name="beside-person",
        title=f"Each run beside one {one}: how often either gives the label that the others agree on",
        columns=("Run", "The run’s share", f"One {one}’s", "Difference", "In words"),
        rows=tuple(
            (run.name, beside.run_words, beside.person_words, beside.difference, beside.verdict)
            for run, beside in found.beside
        ),
        rests_on="n is of labels on items where the others have a majority",
        method=f"Brackets are 95 % intervals {TWO_WAY}",
    )


def alternative(page: Page) -> Table | None:
    """The alternative annotator test."""
    if not page.alternatives:
        return None
    rates = page.alternatives[0].scored[0].rates
    return Table(
        name="alternative",
        title="The alternative annotator test (Calderon, Reichart and Dror 2025)",
        columns=("Run", "Near by", "ρ", *(f"ω, ε = {rate.cost_words}" for rate in rates), "May it stand in?"),
        rows=tuple(
            (
                run.title,
                scored.words,
                scored.advantage,
                *("undefined" if scored.first.undefined else rate.words for rate in scored.rates),
                scored.verdict,
            )
            for run in page.alternatives
            for scored in run.scored
        ),
        rests_on=f"ω is the share of {page.study.people.many} that a run wins against, if ε is what it is given for "
        "being cheaper; baselines that give every item one label take no part; n is of what ρ rests on",
        method=f"{DRAWN}; tests are one-sided, with the false discovery rate held at 5 % (Benjamini and Yekutieli)",
    )


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
