"""Opening and closing a study, and its links. Every change is a POST that leads back to the study."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.timezone import now
from django.views.decorators.http import require_POST

from annotation.access.matrix import Right
from annotation.lifecycle import opening
from annotation.linking import limit, make_link, revoke
from annotation.models import StudyLink
from researcher.forms import LimitForm, LinkForm
from researcher.views.found import found
from researcher.views.study_page import redirect_to, show_study


@require_POST
def open_study(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    opening.open_study(study)
    messages.success(request, "The study is open. Its quality policy is fixed from now on.")
    return redirect("study", slug)


@require_POST
def close_study(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    opening.close_study(study)
    messages.success(
        request, "The study is closed. Whoever is at it is told so at their next step; what was answered stays."
    )
    return redirect("study", slug)


@require_POST
def add_link(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.COLLECT)
    form = LinkForm(request.POST)
    if not form.is_valid():
        return show_study(request, study, link_form=form, status=422)
    make_link(study, **form.cleaned_data)
    messages.success(request, "The new link is ready to be sent.")
    return redirect_to(slug, "send")


@require_POST
def limit_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    link = get_object_or_404(StudyLink, pk=pk, study=found(request, slug, Right.COLLECT))
    form = LimitForm(request.POST)
    if form.is_valid():
        limit(link, form.cleaned_data["max_starts"])
        messages.success(request, "The limit of the link has changed. Whoever has begun by it can still finish.")
    else:
        messages.error(request, "A limit is a whole number from 0 (any number) to 1,000,000. Nothing has changed.")
    return redirect("setup_part", slug, "limits") if "back" in request.POST else redirect_to(slug, "links")


@require_POST
def expire_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    link = get_object_or_404(StudyLink, pk=pk, study=found(request, slug, Right.COLLECT))
    if link.has_expired(now()):
        messages.info(request, "That link had expired before.")
    else:
        revoke(link)
        messages.success(request, "The link has expired. Whoever has begun by it can still finish.")
    return redirect_to(slug, "links")
