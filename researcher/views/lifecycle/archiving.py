"""Archiving a study and taking it up again, and its tags. Every change is a POST that leads back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.access.matrix import Right
from annotation.lifecycle import archiving
from researcher.views.found import found


@require_POST
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    try:
        archiving.archive(study)
    except archiving.CannotArchive as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{study.title} is archived. The list shows it where archived studies are asked for.")
    return redirect("setup", slug)


@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    archiving.restore(study)
    messages.success(request, f"{study.title} is in the list again.")
    return redirect("setup", slug)


@require_POST
def tags(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    try:
        stored = archiving.tag(study, request.POST.get("tags", "").split(","))
    except archiving.TagsRefused as refused:
        messages.error(request, f"{refused} Nothing was saved.")
    else:
        messages.success(request, f"Tags: {', '.join(stored)}." if stored else "The study has no tags.")
    response = redirect("setup", slug)
    response["Location"] += "#tags"
    return response
