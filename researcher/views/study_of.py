"""The study that an address names, for whoever asks for it; and what of it may be shown to them."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import refusal, rights_in, studies_for
from annotation.models import Annotator, Item, Study
from comparison.frame.filters.address import read_selection
from comparison.frame.filters.selection import ANONYMOUS, Selection

View = Callable[..., HttpResponseBase]


class StudyRequest(HttpRequest):
    """A request for a study, with what its reader may do there."""

    rights: frozenset[Right]


def study_page(right: Right) -> Callable[[View], View]:
    """A view that reads: whoever has the right in the study of the slug gets it, with the study in the slug's place."""
    return lambda view: require_safe(_found(view, right))


def study_form(right: Right) -> Callable[[View], View]:
    """A view that shows a form and takes what was typed, of a study likewise; no browser keeps the page."""
    return lambda view: never_cache(require_http_methods(["GET", "HEAD", "POST"])(_found(view, right)))


def study_post(right: Right) -> Callable[[View], View]:
    """A view that only changes something, of a study likewise."""
    return lambda view: require_POST(_found(view, right))


def _found(view: View, right: Right) -> View:
    @wraps(view)
    def of_study(request: HttpRequest, slug: str, **rest: object) -> HttpResponseBase:
        return view(request, get_study_or_404(request, slug, right), **rest)

    return of_study


def get_study_or_404(request: HttpRequest, slug: str, right: Right) -> Study:
    """404 for a study that the reader may not see, as for one that is not there.

    One that they see but lack the right in is PermissionDenied, said in a sentence. Templates find what the reader may
    do in `request.rights`, so that they show no button that leads nowhere.
    """
    study = get_object_or_404(studies_for(request.user, Right.SEE), slug=slug)
    set_rights(request, rights_in(study, request.user))
    need(request, study, right)
    return study


def get_item_or_404(study: Study, external_id: str) -> Item:
    if not external_id.isprintable():
        raise Http404("An item ID cannot contain control characters.")
    return get_object_or_404(study.items, external_id=external_id)


def get_annotator_or_404(study: Study, number: int) -> Annotator:
    """One who has taken part in the study."""
    return get_object_or_404(Annotator, numbers__study=study, numbers__number=number)


def user_of(request: HttpRequest) -> User:
    """The reader, of whom every page of a researcher's has asked a login."""
    assert isinstance(request.user, User)
    return request.user


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
    """The selection of the address, without names for readers who may not see them; SelectionError for unknowns."""
    return _shown_to(request, read_selection(dict(request.GET.lists())))


def everything_of(request: HttpRequest) -> Selection:
    """Of the same reader, where the address cannot be read."""
    return _shown_to(request, Selection())


def _shown_to(request: HttpRequest, selection: Selection) -> Selection:
    return selection if may(request, Right.IDENTIFY) else replace(selection, anonymous=ANONYMOUS)
