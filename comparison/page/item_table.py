"""The table of items: people's labels beside each run, sorted by disagreement, one page at a time."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from comparison.frame.filters.ranges import JENSEN_SHANNON, OF_A_RUN, SURPRISAL
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.pictures.bar import Bar, bar
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.divergence import entropy
from comparison.statistics.estimate import plain, signed

PAGE = 25
# Pages of items that are made together: a thousand items.
TOGETHER = 40
# Small enough to order equals only: divergences of n labels and m runs differ by 1 / nm or not at all.
TIE = 1e6
NUMBERS = {JENSEN_SHANNON: "Jensen–Shannon divergence", SURPRISAL: "Surprisal"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run says about an item, in words."""

    run: str
    decision: str
    strength: str
    unscored: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    item: str
    text: str
    bar: Bar
    majority: str
    kind: str
    reference: str
    published: str
    answers: tuple[Answer, ...]
    people: str
    divergence: str
    entropy: str
    # Those of the run that is looked at that items are chosen or sorted by, in words.
    numbers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ItemTable:
    """One page of rows; `runs` are the keys of those shown, `numbers` names the shown ones of the run looked at.

    `page` runs from 1 to `pages`.
    """

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
    divergence, mixed = panel.divergence(panel.compared), entropy(panel.counts)
    order = _order(panel, selection, divergence, numbers)
    own = tuple(name for name in OF_A_RUN if name in numbers)
    pages = max(1, -(-len(order) // PAGE))
    asked = min(selection.page, pages)
    shown = tuple(run for run in panel.runs if run.key in selection.runs)
    keys = tuple(run.key for run in shown)
    first = (asked - 1) // together * together + 1

    def rows(page: int) -> tuple[ItemRow, ...]:
        here = order[(page - 1) * PAGE : page * PAGE]
        return tuple(
            _row(panel, int(row), shown, divergence, mixed, {NUMBERS[name]: numbers[name] for name in own})
            for row in here
        )

    return {
        page: ItemTable(rows(page), keys, own, len(order), page, pages)
        for page in range(first, min(first + together, pages + 1))
    }


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


def _order(panel: Panel, selection: Selection, divergence: Floats, numbers: Mapping[str, Floats]) -> Ints:
    """Rows in the order asked for; what cannot be compared comes last, ties keep the order of the item file."""
    keys = {
        # Among equals, the items on which people are surest: there the models' answer is most surprising.
        "divergence": -divergence + np.nan_to_num(panel.among_people, nan=1.0) / TIE,
        "people": -panel.among_people,
        "position": np.arange(len(panel.items), dtype=np.float64),
        **{name: -column for name, column in numbers.items()},
    }
    if selection.sort == "strength":
        run = panel.run(selection.run)
        keys["strength"] = -run.strengths if run else keys["position"]
    return np.argsort(keys[selection.sort], kind="stable")


def _row(
    panel: Panel,
    row: int,
    runs: tuple[RunColumn, ...],
    divergence: Floats,
    mixed: Floats,
    numbers: Mapping[str, Floats],
) -> ItemRow:
    return ItemRow(
        item=str(panel.items[row]),
        text=str(panel.texts[row]),
        bar=bar(panel.counts[row], [panel.words[value] for value in panel.values]),
        majority=panel.word(int(panel.majority[row])),
        kind=str(panel.kinds[row]),
        reference=panel.word(int(panel.truth[row])),
        published=f"{panel.published[row]:.4g}" if np.isfinite(panel.published[row]) else "",
        answers=tuple(_answer(panel, run, row) for run in runs),
        people=_share(panel.among_people[row]),
        divergence=_share(divergence[row]),
        entropy=_share(mixed[row]),
        numbers=tuple((name, _share(column[row])) for name, column in numbers.items()),
    )


def _answer(panel: Panel, run: RunColumn, row: int) -> Answer:
    strength = float(run.strengths[row])
    return Answer(
        run=run.name,
        decision=panel.word(int(run.decided[row])),
        strength=signed(strength, decimals=2) if np.isfinite(strength) else "",
        unscored=str(run.unscored[row]) if run.scored[row] else "not scored yet",
    )


def _share(number: float) -> str:
    return plain(float(number), decimals=2) if np.isfinite(number) else ""
