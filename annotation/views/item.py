"""One item to a screen. The server owns the place in the sitting; the page only answers where it is."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.arrival.refusals import CannotStart
from annotation.assignment import hold_on
from annotation.models import Sitting, Study
from annotation.recording import NotThisItem, SittingOver, StudyClosed, record
from annotation.tasktypes.contract import AnswerError
from annotation.views import notices, showing, stages
from annotation.views.forms import AnswerForm
from annotation.views.htmx import HtmxRequest
from annotation.views.own_sitting import answered
from annotation.views.place import fresh, serve, take
from annotation.way_back import of_visit

# What the button posts that holds the items on.
STILL_HERE = "still_here"


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
        return notices.cannot_start(request, reason, of_visit(sitting, reason.outcome))


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
