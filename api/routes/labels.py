"""Labels, and the sittings in which they were given: who an annotator is stands in neither."""

import json
from pathlib import Path
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import FailFast, Field

from annotation.access.matrix import Right
from annotation.elsewhere.label_import import take_labels
from annotation.elsewhere.labelfile import LabelRow, as_json_lines
from annotation.models import Annotator, Assignment, Study
from api.answering.documents import document, unchanged_since, versioned
from api.answering.paging import Paging, Row, cursor_of, page_of, rows_after, rows_within
from api.answering.schema import needs
from api.caller import ApiRequest
from api.once import Key, once
from api.routes.shapes import Given, ImportedLabels, LabelPage, SittingPage
from comparison.exports.cells import moment, text_of
from comparison.frame.cache.gathered import read_one
from corpus.bounds import MOST_SENT

router = Router(tags=["labels"])
LABELS = (
    "item__external_id", "annotator_id", "sitting_id", "position", "judgment__answer", "state", "judgment__response_ms",
    "judgment__hidden_ms", text_of("shown_at"), text_of("judgment__answered_at"), text_of("presentation"),
)  # fmt: skip
SITTINGS = (
    "pk", "annotator_id", "annotator__profile", "source_id", "state", "stage", "outcome", "payment", "device",
    text_of("started_at"), text_of("last_answer_at"), text_of("finished_at"), "annotator__platform",
    "annotator__external_id",
)  # fmt: skip


@router.get("/studies/{slug:slug}/labels", response=LabelPage, summary="List labels", **needs(Right.SEE))
def api_labels(request: ApiRequest, slug: str, paging: Query[Paging]) -> HttpResponse:
    """All labels, including those that do not count: by batch, in the order in which they were given."""
    study = request.auth.study_or_404(slug, Right.SEE)
    version = read_one(study).version
    return unchanged_since(request, version) or versioned(request, read_labels(study, paging), version)


def read_labels(study: Study, paging: Paging) -> bytes:
    answered = Assignment.objects.filter(state__in=Assignment.BEHIND).values_list(*LABELS)
    rows, more = rows_within(answered, paging, "sitting_id", "position", of=study.sittings.all())
    numbers = study.annotator_numbers.by_annotator({row[1] for row in rows})
    return page_of([_label(row, numbers[row[1]]) for row in rows], cursor_of(*rows[-1][2:4]) if more else None)


def _label(row: Row, annotator: int) -> dict[str, Any]:
    item, _, sitting, _, answer, state, took, hidden, shown, at, how = row
    return {
        "item": item,
        "annotator": annotator,
        "sitting": sitting,
        "answer": answer,
        "state": state,
        "counts": state == Assignment.State.COUNTED,
        "response_ms": took,
        "hidden_ms": hidden,
        "shown_at": moment(shown) or None,
        "answered_at": moment(at),
        "order_shown": json.loads(how).get("order", []),
    }


class LabelIn(Given):
    item: str
    annotator: str = Field(description="A name that identifies the person within this study.")
    label: str = Field(description="Canonical value.")
    seconds: Annotated[float | None, Field(ge=0, description="Response time.")] = None
    repeat: int = Field(1, ge=1, le=1_000, description="Number of this person's label on the item, from 1.")


class NewLabels(Given):
    # At the first that is wrong: a fault of each field of each would fill memory.
    labels: Annotated[list[LabelIn], FailFast()] = Field(min_length=1, max_length=MOST_SENT)
    source: str = Field("", max_length=500, description="Source, stored with them.")
    name: str = Field("api.jsonl", pattern=r"^[\w.-]{1,100}\.jsonl$", description="Name of the list.")
    as_imported: bool = Field(False, description="Collect no labels beyond imported ones.")


@router.post("/studies/{slug:slug}/labels", response=ImportedLabels, summary="Import labels", **needs(Right.COLLECT))
def api_labels_import(request: ApiRequest, slug: str, given: NewLabels, key: Key = "") -> HttpResponse:
    """Labels that people gave elsewhere. Imports all new labels, or none. Sending them again changes nothing."""
    study = request.auth.study_or_404(slug, Right.COLLECT)
    return once(request, key, lambda: _imported(request, study, given), is_apart=True)


@router.get("/studies/{slug:slug}/sittings", response=SittingPage, summary="List batches", **needs(Right.SEE))
def api_sittings(request: ApiRequest, slug: str, paging: Query[Paging]) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.SEE)
    named = Right.IDENTIFY in request.auth.rights_in(study)
    rows, more = rows_after(study.sittings.values_list(*SITTINGS), paging)
    numbers = study.annotator_numbers.by_annotator({row[1] for row in rows})
    data = [_sitting(row, numbers[row[1]], prefix=f"{study.pk}/" if named else "") for row in rows]
    return document(request, {"data": data, "next": cursor_of(rows[-1][0]) if more else None})


def _sitting(row: Row, annotator: int, *, prefix: str) -> dict[str, Any]:
    """`prefix` stands before the names of those who came in a file; empty where no name is shown."""
    pk, _, profile, source, state, stage, outcome, payment, device, began, latest, ended, platform, name = row
    shown = prefix and platform == Annotator.IMPORTED
    return {
        "id": pk,
        "annotator": annotator,
        "synthetic": bool(profile),
        "imported": source is not None,
        "state": state,
        "stage": stage,
        "outcome": outcome,
        "payment": payment,
        "device": device,
        "started_at": moment(began),
        "last_answer_at": moment(latest) or None,
        "finished_at": moment(ended) or None,
        "name": name.removeprefix(prefix) if shown else None,
    }


def _imported(request: ApiRequest, study: Study, given: NewLabels) -> HttpResponse:
    data = as_json_lines(LabelRow(**one.model_dump()) for one in given.labels)
    done = take_labels(study, data, Path(given.name), note=given.source, as_imported=given.as_imported)
    return document(request, {name: getattr(done, name) for name in ImportedLabels.model_fields})
