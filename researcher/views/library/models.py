"""The page of all models."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from researcher.library.page import read_models_page


@never_cache
@require_safe
def models(request: HttpRequest) -> HttpResponse:
    page = read_models_page(request.user, request.GET.get("measure", ""))
    return render(request, "researcher/library/models.html", {"page": page})
