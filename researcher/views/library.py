"""The page of all models, and the one on which a model of one's own is added, for those who may."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from researcher.library.adding import MAY_ADD, AddModelForm, latest
from researcher.library.page import read_models_page
from researcher.library.ways import HUB, way_of, ways
from researcher.views.study_of import user_of
from scoring.library.additions import ask
from scoring.scorers.endpoint.calling import written


@never_cache
@require_safe
def models(request: HttpRequest) -> HttpResponse:
    page = read_models_page(request.user, request.GET.get("measure", ""))
    return render(request, "researcher/library/models.html", {"page": page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """The form, and what came of what was asked for; by POST a worker is asked."""
    if not user_of(request).has_perm(MAY_ADD):
        raise PermissionDenied("Only superusers, and people they allow, can add models.")
    form = AddModelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        ask(form.wanted, by=request.user.get_username())
        return redirect(f"{reverse('model_add')}#asked")
    found, way = latest(), way_of(request.GET, request.POST)
    context = {
        "form": form,
        "fields": form.of(way),
        "way": way,
        "ways": ways(way),
        "is_open": settings.MODEL_HUB if way == HUB else bool(form.there),
        "endpoint": written(settings.PROMPT_ENDPOINT) if settings.PROMPT_ENDPOINT else "",
        "endpoint_models": settings.PROMPT_ENDPOINT_MODELS,
        "asked": found,
        "is_live": any(one.is_live for one, _ in found),
    }
    return render(request, "researcher/library/add.html", context, status=422 if form.errors else 200)
