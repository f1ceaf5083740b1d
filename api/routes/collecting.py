"""Collecting labels: open and closed, links, whose labels do not count; and a study put aside."""

from datetime import datetime

from django.http import Http404, HttpResponse
from django.utils import timezone
from ninja import Router
from pydantic import Field

from annotation.access.matrix import Right
from annotation.arrival.links import make_link
from annotation.lifecycle import status
from annotation.models import Annotator, Exclusion, Study, StudyLink
from annotation.quality.exclusion import exclude_by_hand, reinstate
from api.answering.documents import document
from api.answering.faults import Refused
from api.answering.paging import Number
from api.answering.schema import needs
from api.caller import ApiRequest
from api.once import Key, once
from api.routes.shapes import ExcludedOut, Given, LinkOut, LinksOut, StudyOut
from api.routes.studies import answer
from corpus.errors import Fault

router = Router(tags=["collecting"])


@router.post("/studies/{slug:slug}/open", response=StudyOut, summary="Open the study", **needs(Right.COLLECT))
def api_open(request: ApiRequest, slug: str) -> HttpResponse:
    """Locks the exclusion rules. If the study is already open, nothing changes."""
    study = request.auth.study_or_404(slug, Right.COLLECT)
    status.open_study(study)
    return answer(request, study)


@router.post("/studies/{slug:slug}/close", response=StudyOut, summary="Close the study", **needs(Right.COLLECT))
def api_close(request: ApiRequest, slug: str) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.COLLECT)
    status.close_study(study)
    return answer(request, study)


@router.post("/studies/{slug:slug}/archive", response=StudyOut, summary="Archive the study", **needs(Right.EDIT))
def api_archive(request: ApiRequest, slug: str) -> HttpResponse:
    """Hides the study in lists, unless you ask for archived studies."""
    study = request.auth.study_or_404(slug, Right.EDIT)
    try:
        status.archive(study)
    except status.CannotArchive as refused:
        raise Refused(409, str(refused)) from None
    return answer(request, study)


@router.post("/studies/{slug:slug}/restore", response=StudyOut, summary="Unarchive the study", **needs(Right.EDIT))
def api_restore(request: ApiRequest, slug: str) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.EDIT)
    status.restore(study)
    return answer(request, study)


class NewLink(Given):
    name: str = Field("", max_length=80)
    expires_at: datetime | None = Field(None, description="With time zone; null: it does not expire.")
    max_starts: int | None = Field(None, ge=0, le=1_000_000, description="Null: study default; 0: no limit.")


@router.get("/studies/{slug:slug}/links", response=LinksOut, summary="List links", **needs(Right.COLLECT))
def api_links(request: ApiRequest, slug: str) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.COLLECT)
    return document(request, {"data": [_link(request, link) for link in study.links.order_by("pk")]})


@router.post("/studies/{slug:slug}/links", response={201: LinkOut}, summary="Create a link", **needs(Right.COLLECT))
def api_link_add(request: ApiRequest, slug: str, given: NewLink, key: Key = "") -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.COLLECT)
    return once(request, key, lambda: _added(request, study, given))


def _added(request: ApiRequest, study: Study, given: NewLink) -> HttpResponse:
    ends = given.expires_at
    if ends is not None and (timezone.is_naive(ends) or ends <= timezone.now()):
        raise Refused(422, "No link was created.", faults=[Fault("expires_at", "must be a later time, with time zone")])
    link = make_link(study, name=given.name, expires_at=ends, max_starts=given.max_starts)
    return document(request, _link(request, link), status=201)


class Reason(Given):
    reason: str = Field(min_length=1, max_length=500, description="Stored with the decision.")


@router.post(
    "/studies/{slug:slug}/annotators/{int:annotator}/exclude",
    response=ExcludedOut,
    summary="Exclude an annotator",
    **needs(Right.COLLECT),
)
def api_exclude(request: ApiRequest, slug: str, annotator: Number, given: Reason) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.COLLECT)
    who = _annotator(study.pk, annotator)
    if Exclusion.objects.in_force().filter(study=study, annotator=who).exists():
        raise Refused(409, f"Annotator {annotator} is already excluded.")
    exclude_by_hand(study, who, reason=given.reason, by=request.auth.user.get_username())
    return document(request, {"annotator": annotator, "excluded": True})


@router.post(
    "/studies/{slug:slug}/annotators/{int:annotator}/reinstate",
    response=ExcludedOut,
    summary="Reinstate an annotator",
    **needs(Right.COLLECT),
)
def api_reinstate(request: ApiRequest, slug: str, annotator: Number) -> HttpResponse:
    study = request.auth.study_or_404(slug, Right.COLLECT)
    who = _annotator(study.pk, annotator)
    verdict = Exclusion.objects.in_force().filter(study=study, annotator=who).first()
    if verdict is None:
        raise Refused(409, f"Annotator {annotator} is not excluded.")
    reinstate(verdict)
    return document(request, {"annotator": annotator, "excluded": False})


def _annotator(study: int, number: int) -> Annotator:
    found = Annotator.objects.filter(numbers__number=number, numbers__study=study).first()
    if found is None:
        raise Http404(f"This study has no annotator {number}.")
    return found


def _link(request: ApiRequest, link: StudyLink) -> dict[str, object]:
    return LinkOut.of(link, request.build_absolute_uri(link.get_absolute_url())).plain()
