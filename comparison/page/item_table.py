"""The table of items: people's labels beside each run, sorted by disagreement, one page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON, SURPRISAL
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import plain, signed

PAGE = 100
# Pages of items that are made together: a thousand items.
TOGETHER = 10
# Small enough to order equals only: divergences of n labels and m runs differ by 1 / nm or not at all.
TIE = 1e6
# The head of a number that items are chosen or sorted by.
NUMBERS = {
    "divergence": "Disagreement",
    "people": "Disagreement",
    "strength": "Score",
    ENTROPY: "Entropy, bits",
    JENSEN_SHANNON: "Jensen–Shannon, bits",
    SURPRISAL: "Surprisal, bits",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run says about an item: the code of a label or MISSING, its score in words, why it has none."""

    decided: int
    strength: str
    unscored: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """`counts` are people's labels, `majority` and `reference` codes; `true` is what runs are compared with.

    `right` of the `answered` models that could be right are. `mean`: of ratings, with their standard deviation.
    """

    item: str
    text: str
    counts: tuple[int, ...]
    majority: int
    reference: int
    true: int
    published: str
    mean: str
    answers: tuple[Answer, ...]
    right: int
    answered: int
    # What items are chosen or sorted by, in words.
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemTable:
    """One of `pages`; `runs` are the keys of those shown, `numbers` what items are chosen or sorted by."""

    rows: tuple[ItemRow, ...]
    runs: tuple[str, ...]
    numbers: tuple[str, ...]
    total: int
    page: int
    pages: int

    @property
    def previous(self) -> int:
        return self.page - 1

    @property
    def next(self) -> int:
        return self.page + 1

    @property
    def first(self) -> int:
        return (self.page - 1) * PAGE + 1 if self.total else 0

    @property
    def last(self) -> int:
        return min(self.page * PAGE, self.total)


TABLE = TypeAdapter(ItemTable)


def item_tables(
    panel: Panel, selection: Selection, numbers: Mapping[str, Floats], *, together: int = 1
) -> dict[int, ItemTable]:
    """The page that the selection asks for, or the last one there is, among as many pages as are made `together`.

    `numbers` of the panel's items are those that the selection asks for, by name.
    """
    order = _order(panel, selection, numbers)
    columns = _shown_numbers(panel, selection, numbers)
    pages = max(1, -(-len(order) // PAGE))
    current = min(selection.page, pages)
    first = (current - 1) // together * together + 1
    rows = _Rows(
        panel,
        runs=tuple(run for run in panel.runs if run.key in selection.runs),
        true=panel.true(selection.against),
        right=panel.models_right(selection.against),
        numbers=tuple(columns.values()),
    )
    return {
        page: ItemTable(
            rows=tuple(rows.row(int(row)) for row in order[(page - 1) * PAGE : page * PAGE]),
            runs=tuple(run.key for run in rows.runs),
            numbers=tuple(columns),
            total=len(order),
            page=page,
            pages=pages,
        )
        for page in range(first, min(first + together, pages + 1))
    }


def read_table(chosen: Selected) -> ItemTable:
    """The page that is asked for; of a large study its neighbors come with it, for whoever turns pages."""
    selection = chosen.selection

    def parts(page: int) -> list[object]:
        choices = (selection.sort, selection.run, selection.surprisal_of, selection.runs, selection.against)
        return chosen.of_items("items", *choices, page)

    def compute() -> ItemTable:
        tables = item_tables(chosen.panel, selection, chosen.numbers(), together=TOGETHER if chosen.is_large else 1)
        chosen.each_remembered(TABLE, {page: parts(page) for page in tables}, lambda pages: tables)
        return tables.get(selection.page) or tables[max(tables)]

    return chosen.remembered(TABLE, parts(selection.page), compute)


def _order(panel: Panel, selection: Selection, numbers: Mapping[str, Floats]) -> Ints:
    """Rows in the order asked for; what cannot be compared comes last, ties keep the order of the item file."""
    if selection.sort == "position":
        return np.arange(len(panel.items))
    column = -_sorted_by(panel, selection, numbers)
    if selection.sort == "divergence":
        # Among equals, the items on which people are surest: there the models' answer is most surprising.
        column = column + np.nan_to_num(panel.among_people, nan=1.0) / TIE
    return np.argsort(column, kind="stable")


def _sorted_by(panel: Panel, selection: Selection, numbers: Mapping[str, Floats]) -> Floats:
    if selection.sort == "divergence":
        return panel.divergence(panel.compared)
    if selection.sort == "people":
        return panel.among_people
    if selection.sort == "strength":
        run = panel.run(selection.run)
        return run.strengths if run else np.full(len(panel.items), np.nan)
    return numbers[selection.sort]


def _shown_numbers(panel: Panel, selection: Selection, numbers: Mapping[str, Floats]) -> dict[str, Floats]:
    """What items are chosen by, and what they are sorted by."""
    columns = dict(numbers)
    if selection.sort != "position":
        columns[selection.sort] = _sorted_by(panel, selection, numbers)
    return columns


@dataclass(frozen=True, slots=True)
class _Rows:
    """What rows are made of: the runs shown, what is true of each item, how many models are right on it."""

    panel: Panel
    runs: tuple[RunColumn, ...]
    true: Ints
    right: tuple[Ints, Ints]
    numbers: tuple[Floats, ...]

    def row(self, row: int) -> ItemRow:
        panel, (right, answered) = self.panel, self.right
        published = panel.published[row]
        return ItemRow(
            item=str(panel.items[row]),
            text=str(panel.texts[row]),
            counts=tuple(panel.counts[row].tolist()),
            majority=int(panel.majority[row]),
            reference=int(panel.truth[row]),
            true=int(self.true[row]),
            published=f"{published:.4g}" if np.isfinite(published) else "",
            mean=_mean(panel.counts[row], panel.numbers),
            answers=tuple(_answer(run, row) for run in self.runs),
            right=int(right[row]),
            answered=int(answered[row]),
            numbers=tuple(_number(column[row]) for column in self.numbers),
        )


def _mean(counts: Ints, numbers: Sequence[float]) -> str:
    """
    >>> [_mean(np.array(counts), (1, 2, 3)) for counts in ([1, 0, 1], [0, 2, 0], [0, 1, 0])]
    ['2.0 ± 1.4', '2.0 ± 0.0', '2.0']
    """
    total = int(counts.sum())
    if not numbers or not total:
        return ""
    values = np.repeat(np.array(numbers), counts)
    spread = f" ± {values.std(ddof=1):.1f}" if total > 1 else ""
    return f"{values.mean():.1f}{spread}"


def _answer(run: RunColumn, row: int) -> Answer:
    strength = float(run.strengths[row])
    return Answer(
        decided=int(run.decided[row]),
        strength=signed(strength, decimals=2) if np.isfinite(strength) else "",
        unscored=str(run.unscored[row]) if run.scored[row] else "not scored yet",
    )


def _number(number: float) -> str:
    return plain(float(number), decimals=2) if np.isfinite(number) else ""
