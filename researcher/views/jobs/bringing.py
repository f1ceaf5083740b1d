"""Labels and scores brought into a study: the files, for labels which column is what, and then the job."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from annotation.access.matrix import Right
from annotation.models import Study
from researcher.jobs.bounded import is_too_large
from researcher.jobs.form import too_large
from researcher.jobs.label_form import LabelColumnsForm, LabelFilesForm
from researcher.jobs.labels import FILES as LABEL_FILES
from researcher.jobs.labels import ROWS_SHOWN, Head, head_for, head_of, keep_head, read_otherwise
from researcher.jobs.score_form import ScoreFilesForm
from researcher.jobs.scores import FILES as SCORE_FILES
from researcher.jobs.starting import FilesGone, TooMany, prepare_job, start_again, start_job
from researcher.jobs.visible import jobs_for
from researcher.models import Job
from researcher.views.found import found
from researcher.views.new_study.columns import read_again
from researcher.written_by import ReadingForm
from scoring.runs.queue import QueueSilent


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def label_files(request: HttpRequest, slug: str) -> HttpResponse:
    """POST takes the files in, and leads on to their columns."""
    study = found(request, slug, Right.COLLECT)
    form = LabelFilesForm(*_sent(request))
    job = _taken_in(request, form, study, Job.Kind.LABELS, LABEL_FILES)
    if job is None:
        return _asked(request, "label_files", study, form)
    if form.records is not None:
        keep_head(job, head_of(form.records))
    return redirect("label_columns", slug, job.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def label_columns(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The first rows, and what is guessed of them; by POST the job is started."""
    states = (Job.State.PREPARED, Job.State.FAILED, Job.State.STOPPED)
    waiting = jobs_for(request.user).filter(kind=Job.Kind.LABELS, state__in=states)
    job = get_object_or_404(waiting, pk=pk, study__slug=slug)
    study = found(request, slug, Right.COLLECT)
    head = head_for(job)
    if head is None:
        raise Http404("These files are not there any more. They are kept for a day.")
    if "read" in request.POST:
        return read_again(request, _reading_form(request.POST, head), partial(read_otherwise, job))
    form = LabelColumnsForm(request.POST if request.method == "POST" else None, head=head, study=study, given=job.given)
    is_sent = form.is_bound and "show" not in request.POST
    if is_sent and form.is_valid():
        job.given |= form.given
        job.save(update_fields=["given"])
        return _started(request, job)
    context = {
        "study": study,
        "job": job,
        "form": form,
        "head": head,
        "reading": _reading_form(None, head),
        "rows": [[line.get(column, "") for column in head.columns] for line in head.lines[:ROWS_SHOWN]],
        "is_sent": is_sent,
    }
    return render(request, "researcher/jobs/label_columns.html", context, status=422 if is_sent else 200)


def _reading_form(data: QueryDict | None, head: Head) -> ReadingForm:
    return ReadingForm(data, how=head.how, sheets=head.sheets, may_lack_header=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def score_files(request: HttpRequest, slug: str) -> HttpResponse:
    study = found(request, slug, Right.SCORE)
    form = ScoreFilesForm(*_sent(request))
    job = _taken_in(request, form, study, Job.Kind.SCORES, SCORE_FILES)
    return _asked(request, "score_files", study, form) if job is None else _started(request, job)


def _sent(request: HttpRequest) -> tuple[Any, Any]:
    """What a form is made of: nothing, before it is sent."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def _taken_in(
    request: HttpRequest, form: LabelFilesForm | ScoreFilesForm, study: Study, kind: str, option: str
) -> Job | None:
    """The job that waits with the form's files; None where it was not sent, or says why not."""
    assert isinstance(request.user, User), "nobody comes here without a login"
    if not form.is_bound:
        return None
    if is_too_large(request):
        form.add_error(None, too_large())
    if not form.is_valid():
        return None
    files = {option: form.cleaned_data["uploads"]}
    try:
        return prepare_job(kind, form.key, owner=request.user, given=form.given, files=files, study=study)
    except TooMany as error:
        form.add_error(None, str(error))
        return None


def _asked(request: HttpRequest, page: str, study: Study, form: Form) -> HttpResponse:
    context = {"study": study, "form": form}
    return render(request, f"researcher/jobs/{page}.html", context, status=422 if form.errors else 200)


def _started(request: HttpRequest, job: Job) -> HttpResponse:
    try:
        if job.can_start_again:
            start_again(job)
        else:
            start_job(job)
    except (FilesGone, QueueSilent) as error:
        messages.error(request, str(error))
    return redirect("job", job.pk)
