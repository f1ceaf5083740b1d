"""The page of one item: all that is known of it, what is before and after it in the reader's list,
and surprisal token by token.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.models import Item, Study
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.selected import NotComputed, Selected
from comparison.page.item.answers import AnswerTable, answer_table, read_degrees
from comparison.page.item.detail import ItemDetail, RunAnswer, Token, read_item
from comparison.page.item_table import read_table

# A bar is drawn in a box this high.
HIGH = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A token with its bits in words; the bar's upper edge and height within HIGH."""

    token: Token
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class PicturedText:
    name: str
    total: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Of one run: all of its texts on one scale, whose end is `most` bits. `others` have tokens too, by key."""

    key: str
    name: str
    most: str
    texts: tuple[PicturedText, ...]
    others: tuple[tuple[str, str], ...]


def picture(answers: Sequence[RunAnswer], *, asked: str) -> Picture | None:
    """Of the run whose key is asked for, or else of the first that has tokens; None where none has."""
    able = {str(answer.run.pk): answer for answer in answers if any(option.tokens for option in answer.options)}
    if not able:
        return None
    key = asked if asked in able else next(iter(able))
    texts = [option for option in able[key].options if option.tokens]
    most = max((token.bits for option in texts for token in option.tokens), default=0.0)
    return Picture(
        key=key,
        name=str(able[key].run),
        most=f"{most:.1f}",
        texts=tuple(
            PicturedText(option.name, option.surprisal, tuple(_bar(token, most) for token in option.tokens))
            for option in texts
        ),
        others=tuple((other, str(answer.run)) for other, answer in able.items()),
    )


def _bar(token: Token, most: float) -> Bar:
    """Of what is no surprise, or less (scores from elsewhere may be anything), nothing is drawn."""
    height = HIGH * max(token.bits, 0.0) / most if most > 0 else 0.0
    return Bar(token, round(HIGH - height, 1), round(height, 1))


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


@dataclass(frozen=True, slots=True)
class ItemPage:
    """`place` is where it stands in the list that the reader came from, if there was one."""

    detail: ItemDetail
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
        answers=answer_table(study, item, detail.answers, against=against, degrees=read_degrees(chosen)),
        picture=picture(detail.answers, asked=tokens),
        place=read_place(chosen, item.external_id) if listed else None,
    )
