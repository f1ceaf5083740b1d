"""One item to a screen. The server owns the place in the sitting; the page only answers where it is."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.arrival.framing import framed
from annotation.arrival.holding import is_holder
from annotation.arrival.refusals import CannotStart
from annotation.assignment import finish, resume
from annotation.forms import AnswerForm
from annotation.leaving.way_back import of_visit
from annotation.models import Sitting, Study
from annotation.recording import NotThisItem, SittingOver, StudyClosed, record
from annotation.tasktypes.contract import AnswerError
from annotation.views import notices, stage
from annotation.views.htmx import HtmxRequest


@login_not_required
@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def item(request: HtmxRequest, token: str) -> HttpResponse:
    """GET serves the current item, or the last page; POST records an answer and moves on."""
    sitting = _sitting(token)
    return notices.unknown_address(request) if sitting is None else framed(_item(request, sitting), sitting.study)


def _item(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    if not is_holder(request, sitting):
        return notices.not_this_browser(request)
    try:
        return _record(request, sitting) if request.method == "POST" else _serve(request, sitting)
    except CannotStart as reason:
        # The lease had run out, and the sitting cannot be taken up again.
        return notices.cannot_start(request, reason, of_visit(sitting, reason.outcome))


@login_not_required
@never_cache
@vary_on_headers("HX-Request")
@require_safe
def back(request: HtmxRequest, token: str) -> HttpResponse:
    """The item answered last, with its answer chosen. Where there is none to go back to, the current one."""
    sitting = _sitting(token)
    return notices.unknown_address(request) if sitting is None else framed(_back(request, sitting), sitting.study)


def _back(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    if not is_holder(request, sitting):
        return notices.not_this_browser(request)
    previous = sitting.previous() if sitting.study.state == Study.State.OPEN else None
    if previous is None:
        return HttpResponseRedirect(sitting.get_absolute_url(), status=303)
    return stage.show(request, sitting, previous)


def _sitting(token: str) -> Sitting | None:
    return Sitting.objects.select_related("study", "annotator").filter(token=token).first()


def _serve(request: HtmxRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    """The current item, with something to say about the last submit; or the page that stands at the end."""
    if sitting.is_over:
        return stage.show_done(request, sitting, message=message, status=status)
    if sitting.study.state != Study.State.OPEN and sitting.has_items_left():
        return notices.closed_midway(request, sitting)
    if sitting.state == Sitting.State.LAPSED:
        sitting = resume(sitting)
    current = sitting.current()
    if current is None:
        # Only after a lapse in which every slot that was left went to someone else.
        finish(sitting)
        return stage.show_done(request, sitting)
    return stage.show(request, sitting, current, message=message, status=status)


def _record(request: HtmxRequest, sitting: Sitting) -> HttpResponse:
    form = AnswerForm(request.POST)
    valid = form.is_valid()
    position = form.cleaned_data.get("position")
    if not valid:
        return _again(request, sitting, position, form.first_problem())
    answer, response_ms = form.cleaned_data["answer"], form.cleaned_data["response_ms"]
    try:
        record(sitting, form.cleaned_data["position"], answer, response_ms=response_ms)
    except AnswerError as error:
        return _again(request, sitting, position, str(error))
    except NotThisItem as refusal:
        return _serve(request, _fresh(sitting), message=str(refusal), status=409)
    except (StudyClosed, SittingOver) as refusal:
        return _serve(request, _fresh(sitting), message=str(refusal), status=409)
    # Without htmx the browser goes on by a redirect, so that reloading never posts twice.
    if request.htmx:
        return _serve(request, _fresh(sitting))
    return HttpResponseRedirect(sitting.get_absolute_url(), status=303)


def _again(request: HtmxRequest, sitting: Sitting, position: int | None, message: str) -> HttpResponse:
    """The item that was answered, once more, with the message beside its options; nothing was recorded."""
    previous = sitting.previous() if sitting.study.state == Study.State.OPEN else None
    if previous is not None and previous.position == position:
        return stage.show(request, sitting, previous, message=message, status=422)
    return _serve(request, sitting, message=message, status=422)


def _fresh(sitting: Sitting) -> Sitting:
    """Read again: recording works on a locked row of its own."""
    return Sitting.objects.select_related("study", "annotator").get(pk=sitting.pk)
