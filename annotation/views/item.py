"""One item to a screen: shown, answered, gone back to, and reported. The server owns the place in the sitting.

Each address answers to the browser that holds the sitting, and to no other. A report of a problem answers nothing: the
item stays as it is, with what was chosen.
"""

from collections.abc import Callable

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.arrival.framing import framed
from annotation.arrival.ownership import is_holder, was_holder
from annotation.arrival.refusals import CannotStart
from annotation.arrival.way_back import of_sitting, of_visit, way_back
from annotation.assignment import hold_on
from annotation.models import Assignment, Sitting, Study
from annotation.models.prepared import Prepared
from annotation.recording import CannotReport, NotThisItem, SittingOver, StudyClosed, record, report
from annotation.tasktypes.contract import AnswerError
from annotation.views import notices, showing, stages
from annotation.views.forms import AnswerForm, ReportForm
from annotation.views.place import fresh, serve, take
from annotation.views.requests import HtmxRequest, speaking_for

BY_TOKEN = Prepared(lambda token: Sitting.objects.select_related("study", "annotator").filter(token=token))

# What the button posts that holds the items on.
STILL_HERE = "still_here"


def answered(request: HtmxRequest, token: str, answer: Callable[[HtmxRequest, Sitting], HttpResponse]) -> HttpResponse:
    """What `answer` makes of the sitting, or why it is not asked."""
    sitting = BY_TOKEN.first(token)
    if sitting is None:
        return notices.unknown_address(request)
    with speaking_for(sitting.study):
        return framed(_answered(request, sitting, answer), sitting.study)


def _answered(
    request: HtmxRequest, sitting: Sitting, answer: Callable[[HtmxRequest, Sitting], HttpResponse]
) -> HttpResponse:
    if is_holder(request, sitting):
        return answer(request, sitting)
    if was_holder(request, sitting):
        return notices.erased(request, of_sitting(sitting))
    return notices.not_this_browser(request, way_back(sitting.study, None))


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
        return _reporting_again(request, sitting, position, form)
    try:
        found = report(sitting, position, form.cleaned_data["text"])
    except CannotReport:
        return _go_to(request, sitting.get_absolute_url())
    if request.htmx:
        return _part(request, sitting, found, text=form.cleaned_data["text"], was_sent=True)
    return _go_to(request, _where(sitting, found))


def _reporting_again(request: HtmxRequest, sitting: Sitting, position: int, form: ReportForm) -> HttpResponse:
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


@login_not_required
@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def item(request: HtmxRequest, token: str) -> HttpResponse:
    """GET serves where the sitting is; POST records an answer, or what another stage asked for, and moves on."""
    return answered(request, token, _item)


def _item(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    try:
        return _post(request, sitting) if request.method == "POST" else serve(request, sitting)
    except CannotStart as reason:
        # The lease had run out, and the sitting cannot be taken up again; or it cannot have its items now.
        return notices.cannot_start(request, sitting.study, reason, of_visit(sitting, reason.outcome))


@login_not_required
@never_cache
@vary_on_headers("HX-Request")
@require_safe
def back(request: HtmxRequest, token: str) -> HttpResponse:
    """The item answered last, with its answer chosen, or the questionnaire. Where there is nothing to go back to,
    the current page.
    """
    return answered(request, token, _back)


def _back(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    if sitting.is_over and sitting.stage == Sitting.Stage.DEBRIEFING and sitting.study.path.questionnaire:
        return stages.show_questionnaire(request, sitting)
    previous = sitting.previous() if sitting.study.state == Study.State.OPEN else None
    if previous is None:
        return HttpResponseRedirect(sitting.get_absolute_url(), status=303)
    return showing.show(request, sitting, previous)


def _post(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    """An answer to an item, or what the page of another stage has posted."""
    posted = request.POST.get("stage")
    if posted is None:
        return _record(request, sitting)
    if posted == STILL_HERE:
        return _stay(request, sitting)
    return take(request, sitting, posted) or _go_on(request, sitting)


def _stay(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    """Hold the items on. A page with scripts keeps what was chosen on it, and is only told for how long."""
    if sitting.study.state == Study.State.OPEN and hold_on(sitting) and request.htmx:
        return HttpResponse(status=204, headers={"Lease-Seconds": str(sitting.lease_seconds)})
    return _go_on(request, sitting)


def _go_on(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    """Without htmx the browser goes on by a redirect, so that reloading never posts twice."""
    return (
        serve(request, fresh(sitting)) if request.htmx else HttpResponseRedirect(sitting.get_absolute_url(), status=303)
    )


def _record(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    form = AnswerForm(request.POST)
    valid = form.is_valid()
    position = form.cleaned_data.get("position")
    if not valid:
        return _again(request, sitting, position, form.first_problem())
    try:
        recorded = record(sitting, **form.cleaned_data, shows_next=bool(request.htmx))
    except AnswerError as error:
        return _again(request, sitting, position, gettext(str(error)))
    except NotThisItem as refusal:
        return serve(request, fresh(sitting), message=str(refusal), status=409)
    except (StudyClosed, SittingOver) as refusal:
        return serve(request, fresh(sitting), message=str(refusal), status=409)
    if request.htmx and not recorded.finished:
        return serve(request, recorded.sitting, steps=recorded.steps)
    return _go_on(request, sitting)


def _again(request: HtmxRequest, sitting: Sitting, position: int | None, message: str) -> HttpResponse:
    """The item that was answered, once more, with the message beside its options; nothing was recorded."""
    previous = sitting.previous() if sitting.study.state == Study.State.OPEN else None
    if previous is not None and previous.position == position:
        return showing.show(request, sitting, previous, message=message, status=422)
    return serve(request, sitting, message=message, status=422)
