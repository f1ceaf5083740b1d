"""The list of all items; some taken out of a draft, and put back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access.matrix import Right
from annotation.drafting.items import DraftRefused, put_back, remove_items
from annotation.itemfile import ItemRow
from annotation.studyfile import StudyFileError
from researcher.drafting.listed import PER_PAGE, read_list
from researcher.views.found import found
from researcher.views.setup.parts import shared

PART = "item-list"
TAKEN_OUT = "items_taken_out"


@never_cache
@require_safe
def items(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    pk, rows = request.session.get(TAKEN_OUT) or (None, [])
    context = shared(study) | {"part": PART, "list": read_list(study, request.GET)}
    context["taken_out"] = len(rows) if pk == study.pk and not study.has_opened else 0
    return render(request, "researcher/drafting/items.html", context)


@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """What was taken out is kept in the session until the next, so that it can be put back."""
    study = found(request, slug, Right.EDIT)
    ids = request.POST.getlist("item")[:PER_PAGE]
    try:
        gone = remove_items(study, ids) if ids else {}
    except (DraftRefused, StudyFileError) as refused:
        messages.error(request, said(refused))
    else:
        if gone:
            request.session[TAKEN_OUT] = [study.pk, [[place, row.fields()] for place, row in gone.items()]]
        else:
            messages.error(request, "No item was ticked, so none was taken out.")
    return redirect("items", slug)


@require_POST
def back(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    pk, rows = request.session.get(TAKEN_OUT) or (None, [])
    if pk == study.pk:
        try:
            put_back(study, {place: ItemRow(**fields) for place, fields in rows})
        except (DraftRefused, StudyFileError) as refused:
            messages.error(request, said(refused))
        else:
            del request.session[TAKEN_OUT]
            messages.success(request, "Back in place. Scores of what was taken out have to be computed again.")
    return redirect("items", slug)


def said(refused: DraftRefused | StudyFileError) -> str:
    """Why, with every fault in a sentence."""
    if isinstance(refused, StudyFileError):
        return "Nothing has changed. " + " ".join(f"{one.field} {one.message}." for one in refused.faults)
    return " ".join([str(refused), *(f"{one.field} {one.message}." for one in refused.faults)])
