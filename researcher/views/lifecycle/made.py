"""How a study was made: what its construction found out on the way."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access.matrix import Right
from researcher.made.page import read_made_page
from researcher.views.found import found


@require_safe
def made(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.SEE)
    return render(request, "researcher/made/made.html", {"study": study, "page": read_made_page(study)})
