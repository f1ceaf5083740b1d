"""The page of one item: all that is known of it, what is before and after it in the reader's list,
and surprisal token by token.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np

from annotation.models import Item, Study
from comparison.frame.cache.gathered import read_one
from comparison.frame.coded import count_tallies
from comparison.frame.filters.selection import TARGETS, Selection, spelled
from comparison.frame.outline import Offer
from comparison.frame.selected import NotComputed, Selected
from comparison.page.item.answers import AnswerTable, answer_table, read_degrees
from comparison.page.item.detail import ItemDetail, read_item
from comparison.page.item.surprisal import Picture, picture
from comparison.page.item_table import read_table
from comparison.statistics.divergence import entropy
from comparison.statistics.estimate import plain


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


# Of fewer labels there is no agreement.
TWO = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """`query` opens the items that share it, of which there are `items`."""

    name: str
    value: str
    query: str = ""
    items: int = 0


def facts(item: Item, detail: ItemDetail, offer: Offer) -> Iterator[Fact]:
    yield from _attributes(item, offer)
    if item.group:
        yield Fact("Group", item.group)
    yield from _agreement(item)
    if item.reference_strength is not None:
        yield Fact("Published rating", str(item.reference_strength))
    if item.revise:
        yield Fact("Flagged", item.revise)
    if detail.reports:
        yield Fact("Reported", f"{len(detail.reports):,} time{'' if len(detail.reports) == 1 else 's'}")


def _attributes(item: Item, offer: Offer) -> Iterator[Fact]:
    """Those that a filter knows open their items."""
    counts = {one.name: dict(one.values) for one in offer.attributes}
    for name, value in item.attributes.items():
        query = urlencode({"attribute": name, "value": spelled(str(value))}) if name in counts else ""
        yield Fact(name, str(value), query, counts.get(name, {}).get(str(value), 0))


def _agreement(item: Item) -> Iterator[Fact]:
    counts = count_tallies([item.tally], [label.value for label in item.study.task.scale.labels])
    total, most = int(counts.sum()), int(np.max(counts, initial=0))
    if total >= TWO:
        yield Fact("Agreement", f"{most:,} of {total:,} agree")
        yield Fact("Entropy", f"{plain(float(entropy(counts)[0]), decimals=2)} bits")


@dataclass(frozen=True, slots=True)
class ItemPage:
    """`place` is where it stands in the list that the reader came from, if there was one."""

    detail: ItemDetail
    facts: tuple[Fact, ...]
    answers: AnswerTable
    picture: Picture | None
    place: Place | None


def read_item_page(study: Study, item: Item, asked: Selection, *, tokens: str = "", listed: bool = False) -> ItemPage:
    """`tokens` is the key of the run whose tokens are drawn; `listed`, whether the reader came from a list.

    SelectionError if the address names what the study lacks. Of a large study, nothing is computed for it.
    """
    chosen = Selected(study=study, asked=asked, gathered=read_one(study), waits=False)
    try:
        against, nearest = chosen.selection.against, chosen.outline.nearest
    except NotComputed:
        nearest, against = (), asked.against or TARGETS[0]
    detail = read_item(study, item, nearest=nearest)
    return ItemPage(
        detail=detail,
        facts=tuple(facts(item, detail, chosen.offer)),
        answers=answer_table(study, item, detail.answers, against=against, degrees=read_degrees(chosen)),
        picture=picture(detail.answers, asked=tokens),
        place=read_place(chosen, item.external_id) if listed else None,
    )
