"""The tables of a bundle, in the order in which a reader meets them: those of how people agree stand here."""

from collections.abc import Callable

from comparison.figures.models.verdict import VERDICT
from comparison.figures.people.agreement import AGREEMENT
from comparison.figures.registry import FIGURES
from comparison.figures.table import BOTH, DRAWN, WILSON, Table
from comparison.frame.assessors import Assessor
from comparison.page.page import Page
from comparison.statistics.estimate import Estimate, counted


def agreement(page: Page) -> Table | None:
    if not page.outline.has_labels:
        return None
    people, found = page.study.people, page.findings
    rows = [(one.name, one.estimate) for one in (*found.agreement, *AGREEMENT.read(page.chosen))]
    rows.append((f"One {people.one} against the others’ majority", found.ceiling))
    if page.outline.has_references:
        rows.append((f"One {people.one} against the reference", found.people_reference))
    return Table(
        name="agreement",
        title=f"Agreement among {people.many}",
        columns=("Statistic", "Value"),
        rows=tuple(rows),
        rests_on=f"{found.counts.labeled:,} of {counted(found.items, 'item')} with labels, "
        f"{page.yields.labels:,} in all",
        method=f"{BOTH}, over items and for these annotators unless named otherwise; "
        "of Conger’s κ, means over pairs and figures over annotators, the jackknife",
    )


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


def labels(page: Page) -> Table | None:
    """ADEPT's Table 4."""
    if not page.outline.has_labels:
        return None
    counts = page.findings.counts
    rows = [
        (
            word,
            _with_share(row.items, row.share),
            _with_share(row.unanimous, row.share_unanimous),
            _with_share(row.majority, row.share_majority),
        )
        for word, row in page.label_rows
    ]
    rows.append(
        (
            "All that agree",
            _with_share(counts.agreed, counts.share_agreed),
            _with_share(counts.unanimous, counts.share_unanimous),
            _with_share(counts.majority, counts.share_majority),
        )
    )
    rows.append(("No agreement", _with_share(counts.none, counts.share_none), "", ""))
    rows.append(("Not labeled", f"{counts.unlabeled:,}", "", ""))
    return Table(
        name="labels",
        title="Items by majority label",
        columns=("Majority label", "Items", "Unanimous", "Majority"),
        rows=tuple(rows),
        rests_on=f"n = {counted(page.findings.items, 'item')}, {counts.labeled:,} of them labeled; a label’s "
        "share of items is of those that agree, unanimous and majority of that label’s items; in the last rows shares "
        "are of the labeled items",
        method=WILSON,
    )


def _with_share(count: int, share: Estimate) -> str:
    return f"{count:,}" if share.value is None else f"{count:,} ({share.short})"


# Each gives None where the study has nothing to put in it.
TABLES: tuple[Callable[[Page], Table | None], ...] = (
    agreement,
    labels,
    assessors,
)


def tables(page: Page) -> tuple[Table, ...]:
    """None of the two runs that a reader puts side by side."""
    found = [one for table in TABLES if (one := table(page)) is not None]
    others = [figure for figure in FIGURES if figure is not VERDICT and figure.part != "beside"]
    return (*VERDICT.tables(page.chosen), *found, *(one for figure in others for one in figure.tables(page.chosen)))
