"""The jobs of a researcher: all of them, how far one is, stopping it and starting it again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from researcher.jobs.page import read_job_page
from researcher.jobs.starting import FilesGone, start_again, stop_job
from researcher.jobs.visible import jobs_for
from researcher.models import Job
from scoring.runs.queue import QueueSilent

SHOWN = 100


@never_cache
@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    found = jobs_for(request.user).select_related("study").prefetch_related("made")[:SHOWN]
    return render(request, "researcher/jobs/jobs.html", {"jobs": found})


@never_cache
@require_safe
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page, or for htmx what moves on it."""
    page = read_job_page(_found(request, pk))
    is_part = "HX-Request" in request.headers and "HX-Boosted" not in request.headers
    template = "researcher/jobs/_state.html" if is_part else "researcher/jobs/job.html"
    return render(request, template, {"page": page, "job": page.job})


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    found = _found(request, pk)
    if found.is_live:
        stop_job(found)
        messages.success(request, "It is stopped, and can be started again for a day.")
    else:
        messages.info(request, "It was not running.")
    return redirect("job", pk)


@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponse:
    found = _found(request, pk)
    try:
        start_again(found)
    except (FilesGone, QueueSilent) as error:
        messages.error(request, str(error))
    return redirect("job", pk)


def _found(request: HttpRequest, pk: int) -> Job:
    return get_object_or_404(jobs_for(request.user).select_related("study"), pk=pk)
