"""Items of a draft from a file: the file, then which columns are what, as for a new study."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access.matrix import Right
from annotation.drafting.items import DraftRefused
from annotation.models import Study
from corpus.errors import FAULTS_SHOWN, Fault, SourceError
from researcher.drafting.columns_form import FileForm, MoreColumnsForm, add_file
from researcher.new_study.making import Refused, refused_rows
from researcher.new_study.uploads import Upload, find_upload, receive
from researcher.views.drafting.items import PART
from researcher.views.found import found
from researcher.views.new_study.columns import about, read_again, reading_form
from researcher.views.setup.parts import shared


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.EDIT)
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    faults: list[Fault] = []
    if form.is_bound and form.is_valid():
        name, pieces = form.source
        try:
            kept = receive(request.user.pk or 0, name=name, pieces=pieces, task=study.task_type)
        except SourceError as error:
            faults = error.faults
        else:
            return redirect("items_columns", slug, kept.token)
    context = shared(study) | {"part": PART, "form": form} | _said(faults)
    return render(request, "researcher/drafting/file.html", context, status=422 if form.errors or faults else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The first rows, and what is guessed of them; by POST the first item as it would be, or all of them added."""
    try:
        kept = find_upload(request.user.pk or 0, token)
    except LookupError:
        raise Http404("This upload is not there any more. Files are kept for a day.") from None
    study = found(request, slug, Right.EDIT)
    if "read" in request.POST:
        return read_again(request, reading_form(request.POST, kept), kept.read)
    table = kept.table()
    sent = request.POST if request.method == "POST" else None
    form = MoreColumnsForm(sent, table=table, study=study, name=kept.name)
    is_sent = form.is_bound and "show" not in request.POST
    refused = Refused()
    if is_sent and form.is_valid():
        refused = _refused(request, study, kept, form)
        if not refused.faults and not form.errors:
            kept.drop()
            return redirect("items", slug)
    context = shared(study) | {"part": PART} | about(kept, table, form) | {"is_sent": is_sent} | refused.context()
    is_wrong = is_sent and (form.errors or refused.faults)
    return render(request, "researcher/drafting/columns.html", context, status=422 if is_wrong else 200)


def _refused(request: HttpRequest, study: Study, kept: Upload, form: MoreColumnsForm) -> Refused:
    """Add the items, or say what is wrong with their rows."""
    try:
        added = add_file(study, kept, form)
    except SourceError as error:
        return refused_rows(kept.table(), form, error)
    except DraftRefused as refused:
        form.add_error(None, str(refused))
        return Refused(refused.faults)
    messages.success(request, f"{added:,} item{'' if added == 1 else 's'} added.")
    return Refused()


def _said(faults: list[Fault]) -> dict[str, object]:
    return {"faults": faults[:FAULTS_SHOWN], "faults_count": len(faults)}
