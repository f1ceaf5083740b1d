"""Long work that is asked for on a page: studies built or imported, and how far a job is.

What they show and ask is researcher/jobs/'s; files brought into a study are asked for in views/imports.py.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from researcher.jobs.folder import is_too_large
from researcher.jobs.form import Choice, JobForm, as_typed, choice, choices, too_large
from researcher.jobs.page import jobs_for, read_job_page
from researcher.jobs.starting import FilesGone, TooMany, prepare_job, start_again, start_job, stop_job
from researcher.models import Job
from researcher.views.study_of import user_of
from stimuli.making.options import CONSTRUCTION, DATA_SET
from stimuli.making.registry import takes_folder
from work.queue import QueueSilent

SHOWN = 100


@never_cache
@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    found = jobs_for(request.user).select_related("study").prefetch_related("made")[:SHOWN]
    return render(request, "researcher/jobs/jobs.html", {"jobs": found})


@never_cache
@require_safe
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page, or for htmx what moves on it; a file that is read now leads on to its columns."""
    page = read_job_page(_job_or_404(request, pk), request.user)
    is_part = "HX-Request" in request.headers and "HX-Boosted" not in request.headers
    if is_part and page.job.state == Job.State.PREPARED and page.columns:
        return HttpResponse(headers={"HX-Redirect": page.columns})
    template = "researcher/jobs/_state.html" if is_part else "researcher/jobs/job.html"
    return render(request, template, {"page": page, "job": page.job})


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    found = _job_or_404(request, pk)
    if found.is_live:
        stop_job(found)
        was_read = found.state == Job.State.PREPARED
        after = "The file stays as it was read before." if was_read else "You can restart it within a day."
        messages.success(request, f"Stopped. {after}")
    else:
        messages.info(request, "This job was not running.")
    return redirect("job", pk)


@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponse:
    found = _job_or_404(request, pk)
    try:
        start_again(found)
    except (FilesGone, QueueSilent) as error:
        messages.error(request, str(error))
    return redirect("job", pk)


def _job_or_404(request: HttpRequest, pk: int) -> Job:
    return get_object_or_404(jobs_for(request.user).select_related("study"), pk=pk)


@require_safe
def constructions(request: HttpRequest) -> HttpResponse:
    return _choices(request, CONSTRUCTION)


@require_safe
def data_sets(request: HttpRequest) -> HttpResponse:
    return _choices(request, DATA_SET)


def _choices(request: HttpRequest, kind: str) -> HttpResponse:
    context = {"choices": choices(kind), "kind": kind, "is_construction": kind == CONSTRUCTION}
    return render(request, "researcher/jobs/choices.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def construction(request: HttpRequest, key: str) -> HttpResponse:
    return _form_or_job(request, _choice_or_404(CONSTRUCTION, key))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def data_set(request: HttpRequest, key: str) -> HttpResponse:
    return _form_or_job(request, _choice_or_404(DATA_SET, key))


def _choice_or_404(kind: str, key: str) -> Choice:
    try:
        return choice(kind, key)
    except LookupError as error:
        raise Http404(str(error)) from None


def _form_or_job(request: HttpRequest, chosen: Choice) -> HttpResponse:
    """The form; by POST the job, which its page then shows."""
    several = chosen.kind == DATA_SET and takes_folder(chosen.key)
    sent = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = JobForm(chosen.kind, chosen.key, *sent, several=several, initial=_as_before(request, chosen))
    if form.is_bound:
        job = _job_of(request, form)
        if job is not None:
            return started(request, job)
    context = {"form": form, "choice": chosen, "is_construction": chosen.kind == CONSTRUCTION}
    return render(request, "researcher/jobs/form.html", context, status=422 if form.errors else 200)


def started(request: HttpRequest, job: Job) -> HttpResponse:
    """Let a worker have it, and show how far it is."""
    try:
        if job.can_start_again:
            start_again(job)
        else:
            start_job(job)
    except (FilesGone, QueueSilent) as error:
        messages.error(request, str(error))
    return redirect("job", job.pk)


def _as_before(request: HttpRequest, chosen: Choice) -> dict[str, Any]:
    """What a job of the reader's was asked for, to ask for something like it."""
    number = request.GET.get("like", "")
    before = jobs_for(request.user).filter(kind=chosen.kind, key=chosen.key, pk=number if number.isdecimal() else 0)
    job = before.first()
    return as_typed(job.given, job.files) if job else {}


def _job_of(request: HttpRequest, form: JobForm) -> Job | None:
    """None where something is wrong, which the form then says."""
    if is_too_large(request):
        form.add_error(None, too_large())
    if not form.is_valid():
        return None
    try:
        return prepare_job(
            form.kind, form.key, owner=user_of(request), given=form.given, files=form.uploads, sources=form.sources
        )
    except TooMany as error:
        form.add_error(None, str(error))
        return None
