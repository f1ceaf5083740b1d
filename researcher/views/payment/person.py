"""One annotator's data: what is kept, as a file, and erasing it after a page that says what will be lost."""

import json

from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access.matrix import Right
from annotation.models import Annotator, Assignment, Item, PlatformId, Sitting, Study
from annotation.privacy.erasing import CannotErase, Erased, erase
from annotation.privacy.person import everything_about
from comparison.frame.names import annotator_name
from researcher.forms import Typed
from researcher.views.found import found
from researcher.views.sharing.sent import sent


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study, annotator = _found(request, slug, pk)
    name = annotator_name(pk)
    form = Typed(request.POST or None, word=name)
    refused = ""
    if request.method == "POST" and form.is_valid():
        try:
            done = erase(study, annotator, labels=request.POST.get("labels") == "yes")
        except CannotErase as error:
            refused = str(error)
        else:
            messages.success(request, _said(name, done))
            return redirect("payment", slug)
    mine = Sitting.objects.filter(study=study, annotator=annotator)
    labels = Assignment.objects.filter(sitting__in=mine).labels()
    context = {
        "study": study,
        "annotator": annotator,
        "name": name,
        "given_id": PlatformId.kept(study.pk, pk),
        "form": form,
        "refused": refused,
        "sittings": mine.count(),
        "undecided": mine.filter(payment=Sitting.Payment.UNDECIDED).count(),
        "labels": labels.count(),
        "counted": labels.filter(state=Assignment.State.COUNTED, item__kind=Item.Kind.TARGET).count(),
        "erase_labels": request.POST.get("labels") == "yes",
    }
    return render(request, "researcher/studies/person.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def person_file(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    study, annotator = _found(request, slug, pk)
    text = json.dumps(everything_about(study, annotator), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    sent(request, study, f"data of {annotator_name(pk)}")
    return HttpResponse(
        text + "\n",
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-{annotator_name(pk)}.json"'},
    )


def _found(request: HttpRequest, slug: str, pk: int) -> tuple[Study, Annotator]:
    """The study and an annotator who has taken part in it, or 404."""
    study = found(request, slug, Right.IDENTIFY)
    people = Annotator.objects.filter(sittings__study=study).distinct()
    return study, get_object_or_404(people, pk=pk)


def _said(name: str, done: Erased) -> str:
    return f"What {name} was known by is erased" + (f", and {done.labels:,} labels." if done.labels else ".")
