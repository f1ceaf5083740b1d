"""Studies: listed, read, made."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from ninja import Query, Router
from pydantic import Field

from annotation.access.matrix import Right
from annotation.lifecycle.folder import make_study
from annotation.models import Study
from annotation.setting import object_schema
from annotation.studyfile import READ_BY_TABLE, STAGES, TASK, TOP, study_holding
from annotation.tasktypes import TASK_TYPES
from api.answering.documents import document
from api.answering.paging import Paging, cursor_of
from api.answering.schema import needs
from api.caller import ApiRequest
from api.once import Key, once
from api.routes.shapes import Given, StudyOut, StudyPage
from comparison.frame.cache.gathered import read_gathered, read_one
from corpus.bounds import MOST_SENT

router = Router(tags=["studies"])
# study.toml as JSON Schema; of the settings of [task] each type has its own.
OF_TASK = {"type": {"enum": list(TASK_TYPES)}, **object_schema(TASK)["properties"]}
TASK_TABLE = {"type": "object", "properties": OF_TASK, "required": ["type"]}
TABLES = {name: object_schema(table) for name, table in (READ_BY_TABLE | STAGES).items()}
STUDY = object_schema(TOP)
STUDY["properties"] |= {"task": TASK_TABLE, **TABLES}
STUDY["required"] += ["task", "collection"]


class NewStudy(Given):
    """The contents of a study's folder, as JSON."""

    study: dict[str, Any] = Field(
        description="The tables of study.toml (docs/studies.md).",
        json_schema_extra=STUDY,
    )
    items: list[dict[str, Any]] = Field(description="The lines of items.jsonl.", min_length=1, max_length=MOST_SENT)


@router.get("/studies", response=StudyPage, summary="List studies")
def api_studies(request: ApiRequest, paging: Query[Paging]) -> HttpResponse:
    request.auth.need(Right.SEE)
    rows = request.auth.studies(Right.SEE).order_by("pk")
    after = paging.after()
    found = list((rows.filter(pk__gt=after[0]) if after else rows)[: paging.limit + 1])
    shown = found[: paging.limit]
    gathered = read_gathered(shown)
    data = [StudyOut.of(study, gathered[study.pk]).plain() for study in shown]
    following = cursor_of(shown[-1].pk) if len(found) > len(shown) else None
    return document(request, {"data": data, "next": following})


@router.post("/studies", response={201: StudyOut}, summary="Create a draft study", **needs(Right.EDIT))
def api_study_make(request: ApiRequest, given: NewStudy, key: Key = "") -> HttpResponse:
    """Applies the same rules as loading a study's folder, and returns the same problems."""
    caller = request.auth
    caller.need(Right.EDIT)
    # Read before anything is locked: of many items, that takes most of the time.
    file = study_holding(given.study, given.items)

    def make() -> HttpResponse:
        study = make_study(file, owner=caller.user, among=caller.studies(Right.COLLECT))
        return answer(request, study, status=201)

    return once(request, key, make)


@router.get("/studies/{slug:slug}", response=StudyOut, summary="Get a study", **needs(Right.SEE))
def api_study(request: ApiRequest, slug: str) -> HttpResponse:
    return answer(request, request.auth.study_or_404(slug, Right.SEE))


def answer(request: ApiRequest, study: Study, *, status: int = 200) -> HttpResponse:
    """The study as it is now."""
    where = {"Location": reverse("api:api_study", args=[study.slug])} if status == 201 else {}
    return document(request, StudyOut.of(study, read_one(study)).plain(), status=status, headers=where)
