"""Where an item stands in the list that a reader came from, and which items are beside it there."""

from dataclasses import dataclass, replace

from comparison.frame.selected import NotComputed, Selected
from comparison.page.reading import read_table


@dataclass(frozen=True, slots=True)
class Step:
    """An item beside this one, and the page of the list that it is on."""

    item: str
    page: int


@dataclass(frozen=True, slots=True)
class Place:
    """`at` counts from 1 to `total`."""

    at: int
    total: int
    before: Step | None
    after: Step | None


def read_place(chosen: Selected, item: str) -> Place | None:
    """On the page of the list that the address names; None where the item is not on it, or it is not computed yet."""
    try:
        table = read_table(chosen)
        names = [row.item for row in table.rows]
        if item not in names:
            return None
        here = names.index(item)
        before = Step(names[here - 1], table.page) if here else _edge(chosen, table.page - 1, last=True)
        after = Step(names[here + 1], table.page) if here + 1 < len(names) else None
        if after is None and table.page < table.pages:
            after = _edge(chosen, table.page + 1, last=False)
    except NotComputed:
        return None
    return Place(table.first + here, table.total, before, after)


def _edge(chosen: Selected, page: int, *, last: bool) -> Step | None:
    """The item at the end of another page."""
    if page < 1:
        return None
    rows = read_table(replace(chosen, asked=replace(chosen.asked, page=page))).rows
    return Step(rows[-1 if last else 0].item, page) if rows else None
