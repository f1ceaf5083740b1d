"""Files brought into a study, of every kind: the page that takes them in, and the one of their columns."""

from dataclasses import replace
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.models import Study
from corpus.errors import SourceError
from researcher.imports.forms import ColumnsForm, FilesForm, in_words
from researcher.imports.head import Head, head_for, keep_head, read_otherwise
from researcher.imports.kind import FileKind
from researcher.imports.sheet import SheetRow, sheet_rows
from researcher.imports.written_by import ReadingForm
from researcher.jobs.folder import is_too_large
from researcher.jobs.form import too_large
from researcher.jobs.page import jobs_for
from researcher.jobs.starting import UNREAD, WAITING, TooMany, forget, prepare_job
from researcher.models import Job
from researcher.views.item_files import read_again, tell_unread
from researcher.views.jobs import started
from researcher.views.study_of import get_study_or_404, user_of

ROWS_SHOWN = 5


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest, slug: str, kind: FileKind) -> HttpResponse:
    """POST takes the files in, and leads on to their columns; to the job where their names say those."""
    study = get_study_or_404(request, slug, kind.right)
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = FilesForm(*sent, kind=kind)
    job = _taken_in(request, form, study)
    if job is None:
        context = {"study": study, "form": form, "kind": kind, "notice": kind.notice(study)}
        return render(request, "researcher/imports/files.html", context, status=422 if form.errors else 200)
    if form.says_all or form.takes_longer:
        return started(request, job)
    return redirect(f"{kind.address}_columns", slug, job.pk)


@require_safe
def moved(request: HttpRequest, slug: str, kind: FileKind) -> HttpResponse:
    """From the address that the page of several files had."""
    return redirect(f"{kind.address}_files", get_study_or_404(request, slug, kind.right).slug)


def _taken_in(request: HttpRequest, form: FilesForm, study: Study) -> Job | None:
    """The job that waits with the form's files; None where it was not sent, or says why not."""
    if not form.is_bound:
        return None
    if is_too_large(request):
        form.add_error(None, too_large())
    if not form.is_valid():
        return None
    unread: dict[str, Any] = {UNREAD: {}} if form.takes_longer else {}
    sent = {form.kind.key: form.cleaned_data["uploads"]}
    said: dict[str, Any] = {"given": form.given | unread, "files": sent, "study": study}
    try:
        job = prepare_job(form.kind.key, form.key, owner=user_of(request), **said)
    except TooMany as error:
        form.add_error(None, str(error))
        return None
    if form.says_all or form.takes_longer:
        return job
    try:
        keep_head(job, form.records)
    except SourceError as error:
        forget(job)
        form.add_error("uploads", in_words(error))
        return None
    return job


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, slug: str, pk: int, kind: FileKind) -> HttpResponse:
    """The first rows, and what is guessed of them; by POST the job is started."""
    waiting = jobs_for(request.user).filter(kind=kind.key, state__in=WAITING).exclude(key__in=kind.named)
    job = get_object_or_404(waiting, pk=pk, study__slug=slug)
    study = get_study_or_404(request, slug, kind.right)
    if UNREAD in job.given:
        return redirect("job", job.pk)
    head = head_for(job, kind.use)
    if head is None:
        raise Http404("These files were deleted after a day. Send them again.")
    tell_unread(request, job)
    if "read" in request.POST:
        return read_again(request, job, _reading(request.POST, head, kind), partial(read_otherwise, job, kind.use))
    data = request.POST if request.method == "POST" else None
    form = ColumnsForm(data, kind=kind, head=head, study=study, given=job.given)
    is_sent = form.is_bound and "show" not in request.POST
    if is_sent and form.is_valid():
        job.given |= form.given
        job.keep_given()
        return started(request, job)
    context = {
        "study": study,
        "kind": kind,
        "notice": kind.notice(study),
        "job": job,
        "form": form,
        "head": head,
        "reading": _reading(None, head, kind),
        "rows": _first_rows(form, head),
        "files": reverse(f"{kind.address}_files", args=[slug]),
        "is_sent": is_sent,
    }
    return render(request, "researcher/imports/columns.html", context, status=422 if is_sent else 200)


def _first_rows(form: ColumnsForm, head: Head) -> list[SheetRow]:
    names = [*dict.fromkeys((*head.names, *head.columns))]
    lines = enumerate(head.lines[:ROWS_SHOWN], start=1)
    return sheet_rows([(str(n), [line.get(name, "") for name in names]) for n, line in lines], form.sheet_columns, {})


def _reading(data: QueryDict | None, head: Head, kind: FileKind) -> ReadingForm:
    said: dict[str, Any] = {"how": replace(head.how, delimiter=head.delimiter), "sheets": head.sheets}
    if not kind.may_lack_header:
        return ReadingForm(data, **said, may_lack_header=False)
    return ReadingForm(data, **said, may_lack_header=bool(head.columns) and not head.tool, is_parted=head.is_parted)
