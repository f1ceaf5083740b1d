"""The items of a study: read by the ten thousand, and added while it is a draft."""

from typing import Any, Literal

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from annotation.access.matrix import Right
from annotation.lifecycle.folder import add_items
from annotation.models import Study
from annotation.models.item import majority_in
from api.answering.documents import document, unchanged_since, versioned
from api.answering.paging import Paging, Row, cursor_of, page_of, rows_after
from api.answering.schema import needs
from api.caller import ApiRequest
from api.once import Key, once
from api.routes.shapes import AddedOut, Given, ItemPage
from comparison.exports.cells import read_all, text_of
from comparison.frame.cache.gathered import read_one
from corpus.bounds import MOST_SENT

router = Router(tags=["items"])
COLUMNS = (
    "pk", "external_id", "kind", text_of("content"), "reference", "reference_strength", text_of("attributes"), "group",
    "position", text_of("tally"), "target",
)  # fmt: skip


class ItemPaging(Paging):
    kind: Literal["", "target", "gold", "attention", "practice"] = Field("", description="Only items of this kind.")


@router.get("/studies/{slug:slug}/items", response=ItemPage, summary="List items", **needs(Right.SEE))
def api_items(request: ApiRequest, slug: str, paging: Query[ItemPaging]) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.SEE)
    version = read_one(study).version
    return unchanged_since(request, version) or versioned(request, read_items(study, paging), version)


class MoreItems(Given):
    items: list[dict[str, Any]] = Field(description="Lines of items.jsonl.", min_length=1, max_length=MOST_SENT)


@router.post(
    "/studies/{slug:slug}/items", response={201: AddedOut}, summary="Add items to a draft", **needs(Right.EDIT)
)
def api_items_add(request: ApiRequest, slug: str, given: MoreItems, key: Key = "") -> HttpResponse:
    """Appends all of the items, or none."""
    study = request.auth.study_or_404(slug, Right.EDIT)
    return once(request, key, lambda: document(request, {"added": add_items(study, given.items)}, status=201))


def read_items(study: Study, paging: ItemPaging) -> bytes:
    """A page of them, without a model object each: of two hundred thousand, those alone would take most of the time."""
    items = study.items.filter(kind=paging.kind) if paging.kind else study.items.all()
    rows, more = rows_after(items.values_list(*COLUMNS), paging)
    contents, attributes, tallies = (read_all([row[place] for row in rows]) for place in (3, 6, 9))
    data = [
        _item(row, content, attribute, tally)
        for row, content, attribute, tally in zip(rows, contents, attributes, tallies, strict=True)
    ]
    return page_of(data, cursor_of(rows[-1][0]) if more else None)


def _item(row: Row, content: object, attributes: object, tally: dict[str, int]) -> dict[str, object]:
    _, name, kind, _, reference, strength, _, group, position, _, wanted = row
    return {
        "id": name,
        "kind": kind,
        "content": content,
        "reference": reference,
        "strength": strength,
        "attributes": attributes,
        "group": group,
        "position": position,
        "labels": tally,
        "majority": majority_in(tally),
        "wanted": wanted,
    }
