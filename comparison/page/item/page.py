"""The page of one item: all that is known of it, beside what the address asks for."""

from dataclasses import dataclass

from annotation.models import Item, Study
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.kept.gathered import read_one
from comparison.frame.selected import NotComputed, Selected
from comparison.page.item.answers import AnswerTable, answer_table
from comparison.page.item.degrees import read_degrees
from comparison.page.item.detail import ItemDetail, read_item
from comparison.page.item.picture import Picture, picture
from comparison.page.item.place import Place, read_place


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
