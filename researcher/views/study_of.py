"""The study that an address names, for whoever asks for it; and what of it may be shown to them."""

from dataclasses import replace
from typing import cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from annotation.access.matrix import Right
from annotation.access.visible import refusal, rights_in, studies_for
from annotation.models import Study
from comparison.frame.filters.address import read_selection
from comparison.frame.filters.selection import ANONYMOUS, Selection


class StudyRequest(HttpRequest):
    """A request for a study, with what its reader may do there."""

    rights: frozenset[Right]


def get_study_or_404(request: HttpRequest, slug: str, right: Right) -> Study:
    """404 for a study that the reader may not see, as for one that is not there.

    One that they see but lack the right in is PermissionDenied, said in a sentence. Templates find what the reader may
    do in `request.rights`, so that they show no button that leads nowhere.
    """
    study = get_object_or_404(studies_for(request.user, Right.SEE), slug=slug)
    set_rights(request, rights_in(study, request.user))
    need(request, study, right)
    return study


def set_rights(request: HttpRequest, rights: frozenset[Right]) -> None:
    cast(StudyRequest, request).rights = rights


def need(request: HttpRequest, study: Study, right: Right) -> None:
    """PermissionDenied where the reader of a study that was found lacks this right as well."""
    if not may(request, right):
        raise PermissionDenied(refusal(study, right))


def may(request: HttpRequest, right: Right) -> bool:
    """Whether the reader has this right in the study that was found."""
    return right in cast(StudyRequest, request).rights


def selection_of(request: HttpRequest) -> Selection:
    """The selection of the address; SelectionError for what is not known.

    Whoever may not see who somebody is has their results without names, whatever the address says.
    """
    return _shown_to(request, read_selection(dict(request.GET.lists())))


def everything_of(request: HttpRequest) -> Selection:
    """Of the same reader, where the address cannot be read."""
    return _shown_to(request, Selection())


def _shown_to(request: HttpRequest, selection: Selection) -> Selection:
    return selection if may(request, Right.IDENTIFY) else replace(selection, anonymous=ANONYMOUS)
