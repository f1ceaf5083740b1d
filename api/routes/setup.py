"""What a study declares: read and changed by the paths of study.toml, held to what is fixed by now."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router
from pydantic import Field

from annotation.access.matrix import Right
from annotation.editing import EDITABLE, EditRefused, edit, state_of
from annotation.loading import fixed
from annotation.models import Study
from annotation.setting import object_schema
from annotation.studyfile import tables_of
from api.answering.documents import document, matches, tag_of_value
from api.answering.faults import Refused
from api.answering.schema import needs
from api.caller import ApiRequest
from api.routes.shapes import Given, SetupOut
from corpus.errors import Fault

router = Router(tags=["setup"])


class Changes(Given):
    """Values in study.toml by path, such as `collection.labels_per_item`. Null restores the default."""

    changes: dict[str, Any] = Field(
        min_length=1, max_length=200, json_schema_extra=object_schema(EDITABLE, or_null=True)
    )


@router.get("/studies/{slug:slug}/setup", response=SetupOut, summary="Get the setup", **needs(Right.EDIT))
def api_setup(request: ApiRequest, slug: str) -> HttpResponse:
    return document(request, setup_document(request.auth.study_or_404(slug, Right.EDIT)))


@router.patch(
    "/studies/{slug:slug}/setup",
    response=SetupOut,
    summary="Change the setup",
    **needs(Right.EDIT, also=(412, 428)),
)
def api_setup_change(request: ApiRequest, slug: str, given: Changes) -> HttpResponse:
    """Send the ETag of the setup that you read as If-Match. This prevents overwriting changes by others."""
    study = request.auth.study_or_404(slug, Right.EDIT)
    _refuse_unseen(request, study)
    if foreign := sorted(given.changes.keys() - EDITABLE.keys()):
        raise Refused(
            422,
            "Nothing was saved.",
            faults=[Fault(path, "is not a setting that can be changed here; see docs/studies.md") for path in foreign],
        )
    seen = state_of(study, given.changes)
    try:
        changed = edit(study, given.changes, seen=seen, among=request.auth.studies(Right.COLLECT))
    except EditRefused as refused:
        raise Refused(412, str(refused)) from None
    return document(request, setup_document(changed))


def setup_document(study: Study) -> dict[str, Any]:
    tables = tables_of(study)
    reasons = {path.rpartition(".")[2]: str(why) for path, why in fixed(study).items()}
    return SetupOut(setup=tables, fixed=reasons).plain()


def _refuse_unseen(request: HttpRequest, study: Study) -> None:
    if "If-Match" not in request.headers:
        raise Refused(428, "Send the ETag of the setup you read in the header If-Match.")
    if not matches(request, tag_of_value(setup_document(study)), header="If-Match"):
        raise Refused(412, "The setup has changed since you read it, so nothing was saved. Read it again.")
