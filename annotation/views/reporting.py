"""A report of a problem with an item. It answers nothing: the item stays as it is, with what was chosen."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from annotation.models import Assignment, Sitting
from annotation.recording import CannotReport, report
from annotation.views import showing
from annotation.views.forms import ReportForm
from annotation.views.htmx import HtmxRequest
from annotation.views.own_sitting import answered


@login_not_required
@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def report_problem(request: HtmxRequest, token: str) -> HttpResponse:
    """POST stores the report; GET, as from a page that is loaded again, leads to where the sitting is."""
    return answered(request, token, _report)


def _report(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    form = ReportForm(request.POST)
    valid = form.is_valid()
    position = form.cleaned_data.get("position")
    if position is None:
        return _go_to(request, sitting.get_absolute_url())
    if not valid:
        return _again(request, sitting, position, form)
    try:
        found = report(sitting, position, form.cleaned_data["text"])
    except CannotReport:
        return _go_to(request, sitting.get_absolute_url())
    if request.htmx:
        return _part(request, sitting, found, text=form.cleaned_data["text"], was_sent=True)
    return _go_to(request, _where(sitting, found))


def _again(request: HtmxRequest, sitting: Sitting, position: int, form: ReportForm) -> HttpResponse:
    """What they wrote, with what is in the way beside it; without a script, in the page of the item."""
    found = sitting.assignments.filter(position=position).select_related("item", "judgment").first()
    if found is None or found.shown_at is None or sitting.is_over or not sitting.study.report_problem:
        return _go_to(request, sitting.get_absolute_url())
    problem, text = str(form.errors["text"][0]), request.POST.get("text", "")
    if request.htmx:
        return _part(request, sitting, found, text=text, problem=problem, status=422)
    return showing.show(request, sitting, found, report={"text": text, "problem": problem}, status=422)


def _part(
    request: HtmxRequest, sitting: Sitting, found: Assignment, *, status: int = 200, **said: str | bool
) -> HttpResponse:
    context = {"sitting": sitting, "position": found.position, "report": said}
    return render(request, "annotation/report.html", context, status=status)


def _where(sitting: Sitting, found: Assignment) -> str:
    """Back to the item of which it was said."""
    return reverse("back", args=[sitting.token]) if found.is_answered else sitting.get_absolute_url()


def _go_to(request: HtmxRequest, address: str) -> HttpResponse:
    """As a page of its own: with htmx, only the report would be exchanged."""
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address, status=303)
