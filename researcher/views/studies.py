"""The list of studies, and the first page of one: collecting."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from researcher.deleting.asking import going_for
from researcher.studies.list import look_first, read_lines
from researcher.studies.searching import SearchForm
from researcher.views.found import found
from researcher.views.study_page import show_study


@never_cache
@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    seen = list(studies_for(request.user, Right.SEE))
    form = SearchForm(request.GET, studies=seen)
    shown = form.found(seen)
    lines = read_lines(shown.studies)
    context = {"form": form, "lines": lines, "archived": shown.archived, "has_studies": bool(seen)}
    context["look_first"] = None if form.narrows else look_first(lines)
    context["going"] = going_for(request.user)
    return render(request, "researcher/studies/list.html", context, status=400 if form.errors else 200)


@never_cache
@require_safe
def study(request: HttpRequest, slug: str) -> HttpResponse:
    return show_study(request, found(request, slug, Right.SEE))
