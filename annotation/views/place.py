"""Where a sitting is, as a page: one stage, one item, or the last page. The server owns the place."""

from collections.abc import Callable

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from annotation.assignment import finish, resume
from annotation.models import Sitting, Study
from annotation.models.assignment import Steps
from annotation.stages.flows import NOT_YOURS, NotHere
from annotation.views import notices, showing, stages
from annotation.views.requests import HtmxRequest

Show = Callable[..., HttpResponse]
Take = Callable[[HtmxRequest, Sitting], HttpResponse | None]
# By what their forms say they are about: what draws each page, and what takes what it posts.
PAGES: dict[str, tuple[Show, Take]] = {
    "consent": (stages.show_consent, stages.take_consent),
    "instructions": (stages.show_instructions, stages.take_instructions),
    "comprehension": (stages.show_comprehension, stages.take_comprehension),
    "feedback": (stages.show_feedback, stages.take_feedback),
    "questionnaire": (stages.show_questionnaire, stages.take_questionnaire),
    "debriefing": (stages.show_debriefing, stages.take_debriefing),
}
BEHIND_THE_ITEMS = (Sitting.Stage.QUESTIONNAIRE, Sitting.Stage.DEBRIEFING)


def serve(
    request: HtmxRequest, sitting: Sitting, *, steps: Steps | None = None, message: str = "", status: int = 200
) -> HttpResponse:
    """Where they are, with something to say about the last submit. Raises CannotStart after a lapse that shut it.

    `steps` are the sitting's, where they have just been read.
    """
    if _is_shut(sitting) and (sitting.has_items_left() or not sitting.holds_items):
        return notices.closed_midway(request, sitting)
    if sitting.state == Sitting.State.LAPSED or sitting.is_overdue:
        sitting = resume(sitting)
    if sitting.is_over:
        if sitting.stage in BEHIND_THE_ITEMS:
            return _page(request, sitting, sitting.stage, message, status)
        return showing.show_done(request, sitting, message=message, status=status)
    if not sitting.holds_items:
        return _page(request, sitting, sitting.stage, message, status)
    if sitting.explaining is not None:
        return _page(request, sitting, "feedback", message, status)
    steps = steps or sitting.steps()
    upcoming = sitting.upcoming(steps)
    if not upcoming:
        if (latest := fresh(sitting)).state == Sitting.State.LAPSED:
            # Since it was read.
            return serve(request, latest, message=message, status=status)
        # Only after a lapse in which every slot that was left went to someone else.
        finish(sitting)
        return serve(request, sitting)
    if sitting.needs_instructions(timezone.now()):
        return _page(request, sitting, "instructions", message, status)
    current, *ahead = upcoming
    return showing.show(request, sitting, current, steps=steps, ahead=ahead, message=message, status=status)


def take(request: HtmxRequest, sitting: Sitting, posted: str) -> HttpResponse | None:
    """What the page of a stage has posted; None where the sitting has gone on. Raises CannotStart."""
    if _is_shut(sitting):
        return serve(request, sitting)
    if posted not in PAGES:
        return serve(request, sitting, message=gettext(NOT_YOURS), status=409)
    _, take_posted = PAGES[posted]
    try:
        return take_posted(request, sitting)
    except NotHere as refusal:
        return serve(request, fresh(sitting), message=str(refusal), status=409)


def fresh(sitting: Sitting) -> Sitting:
    """Read again: the flows work on rows of their own."""
    return Sitting.objects.select_related("study", "annotator").get(pk=sitting.pk)


def _is_shut(sitting: Sitting) -> bool:
    return not sitting.is_over and sitting.study.state != Study.State.OPEN


def _page(request: HtmxRequest, sitting: Sitting, name: str, message: str, status: int) -> HttpResponse:
    show, _ = PAGES[name]
    return show(request, sitting, message=message, status=status)
