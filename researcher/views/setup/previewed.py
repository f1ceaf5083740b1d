"""The participant's pages of the preview: each drawn as it is, and what would follow on what is pressed there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext

from annotation.arrival.refusals import (
    BadId,
    BegunElsewhere,
    CannotStart,
    LinkFull,
    NoId,
    NothingLeft,
    NothingMore,
    TakenPartBefore,
    TooManyAtOnce,
)
from annotation.arrival.way_back import of_sitting, way_back
from annotation.lifecycle.status import close_study
from annotation.models import Sitting, Study
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms import Outcome
from annotation.recording import record
from annotation.stages.preview import PREVIEW, answer_practice, fail_comprehension, places, reach, sitting_at
from annotation.tasktypes.contract import AnswerError
from annotation.views import notices, place, showing, welcome
from annotation.views.forms import AnswerForm
from annotation.views.requests import HtmxRequest
from researcher.setup.preview import AGAIN, CLOSED, CLOSED_MIDWAY, ENDED, FIRST, ITEMS, explained

REFUSALS: dict[str, Callable[[Study], CannotStart]] = {
    "nothing_left": lambda study: NothingLeft(),
    "nothing_more": lambda study: NothingMore(),
    "link_full": lambda study: LinkFull(),
    "crowd": lambda study: TooManyAtOnce(),
    "took_part": lambda study: TakenPartBefore(),
    "elsewhere": lambda study: BegunElsewhere(),
    "no_id": lambda study: NoId(study.id_parameter),
    "bad_id": lambda study: BadId(study.id_parameter),
}


@dataclass(frozen=True, slots=True)
class Went:
    """On, to the page of this name; empty: to the next. `answer` is what was answered in practice."""

    to: str = ""
    answer: str = ""


def page_of_step(request: HtmxRequest, study: Study, step: str) -> HttpResponse:
    """The page of a step."""
    if step == FIRST:
        return welcome.show(request, study, None)
    if step in REFUSALS:
        return _refused(request, study, REFUSALS[step](study))
    if step == CLOSED:
        study.state = Study.State.CLOSED
        return notices.study_shut(request, study, way_back(study, Outcome.TOO_LATE, given_id=PREVIEW, session=PREVIEW))
    try:
        with _sitting(study, step, request.GET.get("answer", "")) as sitting:
            return _page(request, sitting, step)
    except CannotStart as reason:
        return _refused(request, study, reason)


def went(request: HtmxRequest, study: Study, step: str) -> HttpResponse | Went:
    """Where what was pressed leads, or the page once more with what is in the way."""
    if step == FIRST:
        return Went()
    if step in REFUSALS or step == CLOSED:
        # Nothing can be pressed there; what comes from outside a page leads back to it.
        return Went(step)
    try:
        with _sitting(study, step, request.GET.get("answer", "")) as sitting:
            if _is_item(step):
                page = _answer(request, sitting, step)
            else:
                page = place.take(request, sitting, request.POST.get("stage", ""))
            return page or _next(place.fresh(sitting), step, request.POST.get("answer", ""))
    except CannotStart as reason:
        return _refused(request, study, reason)


@contextmanager
def _sitting(study: Study, step: str, answer: str) -> Iterator[Sitting]:
    """One that stands at the step."""
    outcome = Outcome(step) if step in ENDED else Outcome.COMPLETED
    with sitting_at(study, _stage(step), outcome=outcome) as sitting:
        if step == AGAIN:
            fail_comprehension(sitting)
        elif number := explained(step):
            answer_practice(sitting, number, answer)
        elif _is_item(step):
            reach(sitting, places(sitting)[step])
        yield sitting


def _is_item(step: str) -> bool:
    return step in ITEMS or step.startswith(Stage.PRACTICE)


def _stage(step: str) -> Stage:
    if step in ITEMS or step == CLOSED_MIDWAY:
        return Stage.ITEMS
    if _is_item(step) or explained(step):
        return Stage.PRACTICE
    other = {AGAIN: Stage.COMPREHENSION, **dict.fromkeys(map(str, ENDED), Stage.END)}
    return other.get(step) or Stage(step)


def _page(request: HtmxRequest, sitting: Sitting, step: str, message: str = "") -> HttpResponse:
    status = 422 if message else 200
    if step == CLOSED_MIDWAY:
        close_study(sitting.study)
        return _staying(notices.closed_midway(request, sitting))
    if step == Outcome.WITHDRAWN:
        return notices.erased(request, of_sitting(sitting))
    if _is_item(step):
        shown = reach(sitting, places(sitting)[step])
        return showing.show(request, sitting, shown, message=message, status=status)
    if _stage(step) == Stage.END:
        return _staying(showing.show_done(request, sitting))
    show, _ = place.PAGES["feedback" if explained(step) else _stage(step)]
    return show(request, sitting)


def _staying(last_page: HttpResponse) -> HttpResponse:
    """It goes nowhere by itself."""
    del last_page["Refresh"]
    return last_page


def _answer(request: HtmxRequest, sitting: Sitting, step: str) -> HttpResponse | None:
    """The item once more, if its answer is none."""
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _page(request, sitting, step, form.first_problem())
    try:
        record(sitting, **form.cleaned_data | {"position": places(sitting)[step]})
    except AnswerError as error:
        return _page(request, sitting, step, gettext(str(error)))
    return None


def _next(sitting: Sitting, step: str, answer: str) -> Went:
    if sitting.is_over and sitting.outcome != Outcome.COMPLETED:
        return Went(sitting.outcome)
    if step == "comprehension" and sitting.stage == Stage.COMPREHENSION:
        return Went(AGAIN)
    return Went(answer=answer if sitting.explaining is not None else "")


def _refused(request: HtmxRequest, study: Study, reason: CannotStart) -> HttpResponse:
    back = way_back(study, reason.outcome, given_id=PREVIEW, session=PREVIEW)
    return notices.cannot_start(request, study, reason, back)
