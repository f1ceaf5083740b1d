"""The page of all models, and the one on which a model of one's own is added, for those who may."""

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from researcher.jobs.folder import bound_to, is_too_large
from researcher.library.adding import (
    ENDPOINT,
    FOLDER,
    MAY_ADD,
    UPLOAD,
    AddModelForm,
    is_open,
    latest,
    read_endpoint,
    too_large,
    way_of,
    ways,
)
from researcher.library.page import read_models_page
from researcher.views.study_of import user_of
from scoring.library.additions import ask
from scoring.library.trials import ask_soon
from scoring.library.uploads import keep, limits


@never_cache
@require_safe
def models(request: HttpRequest) -> HttpResponse:
    asked = request.GET
    page = read_models_page(
        request.user,
        asked.get("measure", ""),
        sort=asked.get("sort", ""),
        everything="all" in asked,
        archived="archived" in asked,
    )
    return render(request, "researcher/library/models.html", {"page": page})


# Django would read the whole form, with its files, to check it before it is known who sends them.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """The form, and what came of what was asked for; by POST a worker is asked."""
    _require_right(request)
    if request.GET.get("way") == UPLOAD:
        bound_to(request, settings.MODEL_UPLOAD_MOST_BYTES)
    return _form_or_list(request)


@csrf_protect
def _form_or_list(request: HttpRequest) -> HttpResponse:
    way = way_of(request.GET, request.POST)
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = AddModelForm(*sent, way=way)
    if form.is_bound and is_too_large(request):
        form = AddModelForm(request.POST, way=way)
        form.errors.clear()
        form.add_error("uploads", too_large())
    elif form.is_valid():
        upload = keep(form.cleaned_data["uploads"]) if way == UPLOAD else None
        ask(form.wanted, by=user_of(request).get_username(), upload=upload)
        return redirect(f"{reverse('model_add')}?way={way}#asked")
    found = latest()
    context = {
        "form": form,
        "way": way,
        "ways": ways(way),
        "is_open": bool(form.there) if way == FOLDER else is_open(way),
        "most": limits(),
        "endpoint": read_endpoint() if way == ENDPOINT else None,
        "asked": found,
        "is_live": any(one.is_live for one, _ in found),
    }
    return render(request, "researcher/library/add.html", context, status=422 if form.errors else 200)


@never_cache
@require_POST
def ask_endpoint(request: HttpRequest) -> HttpResponse:
    """Have a worker put the test question to a model that the settings name."""
    _require_right(request)
    model = request.POST.get("model", "")
    if model in settings.PROMPT_ENDPOINT_MODELS:
        ask_soon(model, by=user_of(request).get_username())
    else:
        messages.error(request, "No model of that name is set up on this server.")
    return redirect(f"{reverse('model_add')}?way={ENDPOINT}")


def _require_right(request: HttpRequest) -> None:
    if not user_of(request).has_perm(MAY_ADD):
        raise PermissionDenied("Only superusers, and people they allow, can add models.")
