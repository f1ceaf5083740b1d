"""The list of studies, and the page of one."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Study
from researcher.studies.list import read_lines
from researcher.views.study_page import show_study


@never_cache
@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    return render(request, "researcher/studies/list.html", {"lines": read_lines(Study.objects.all())})


@never_cache
@require_safe
def study(request: HttpRequest, slug: str) -> HttpResponse:
    return show_study(request, get_object_or_404(Study, slug=slug))
