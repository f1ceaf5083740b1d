"""Tables of how models and baselines answer, each as the results show it."""

from collections.abc import Iterator

from comparison.figures.findings import MAJORITY, REFERENCE, Against, RunFinding
from comparison.figures.table import BOTH, Cell, Table
from comparison.page.models_part.leaderboard import majority_of
from comparison.page.page import Page
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.estimate import Estimate

BASELINE = " (baseline)"
TARGETS = {MAJORITY: "Majority", REFERENCE: "Reference"}


def accuracy(page: Page) -> Table | None:
    """Every run against majority and reference."""
    if not page.findings.runs or not _targets(page):
        return None
    targets, heads = _targets(page), ("accuracy", "accuracy over all items", "κ", "right of n")
    against = " and ".join(f"against the {TARGETS[target].lower()}" for target in targets)
    return Table(
        name="accuracy",
        title=f"Accuracy and Cohen’s κ of every run, {against}",
        columns=("Run", *(f"{TARGETS[target]}: {head}" for target in targets for head in heads), "Unscored"),
        rows=tuple(_accuracy_rows(page, targets)),
        rests_on=f"n counts the items, of {page.items:,}, that both the run and what it is compared with have labeled; "
        "over all items, those that a run left open count as wrong",
        method=BOTH,
    )


def _targets(page: Page) -> tuple[str, ...]:
    """What there is to hold runs against."""
    there = {MAJORITY: page.outline.has_labels, REFERENCE: page.outline.has_references}
    return tuple(target for target, is_there in there.items() if is_there)


def _accuracy_rows(page: Page, targets: tuple[str, ...]) -> Iterator[tuple[Cell, ...]]:
    if len(targets) == len(TARGETS) and not page.outline.no_majority:
        yield (majority_of(page.study.people), "", "", "", "", *_held(page.findings.majority_reference), "")
    for run in page.findings.runs:
        name = run.title + (BASELINE if run.is_baseline else "")
        yield (name, *_against(run, page, targets), f"{run.unscored:,}")


def _against(run: RunFinding, page: Page, targets: tuple[str, ...]) -> Iterator[Cell]:
    for target in targets:
        found, nothing = run.against(target), page.outline.no_majority if target == MAJORITY else ""
        if nothing or not run.has_labels:
            yield from (Estimate.none(nothing or run.why_no_labels), "", "", "")
        else:
            yield from _held(found, run.of_all(target))


def _held(found: Against, every: Hits | None = None) -> tuple[Cell, ...]:
    """`every` is over all items, of a run."""
    hits = found.hits
    return (
        hits.accuracy,
        every.accuracy if every else "",
        found.kappa,
        f"{hits.correct:,} of {hits.compared:,}" if hits.compared else "",
    )
