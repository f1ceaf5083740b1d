"""What the annotator has before them: one item, or the last page. Constant queries, whatever the study's size."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_noop

from annotation.arrival.way_back import of_sitting
from annotation.models import CANNOT_JUDGE, Assignment, Sitting, Study
from annotation.models.assignment import Steps
from annotation.paying.money import pay_in_words
from annotation.platforms import Outcome
from annotation.recording import reported, submission_of_page
from annotation.stages.preview import is_preview
from annotation.views.requests import HtmxRequest
from annotation.views.wording import rendered, stimulus, worded

# Until the last page goes on by itself: as long as WCAG 2.2.1 asks for, so that one can read it and say that one stays.
SECONDS = 20
# Before the lease ends, the page asks whether somebody is there: WCAG 2.2.1 wants 20 at least.
ENDS_SOON = 120
# Where somebody did not come to the end.
ENDED = {
    # A sitting that has begun is screened out by the questions about the instructions, and by nothing else.
    Outcome.SCREENED_OUT: gettext_noop(
        "Not all answers about the instructions were correct, so the study ends here for you. This does not count "
        "against you."
    ),
    Outcome.NO_CONSENT: gettext_noop("You decided not to take part."),
    Outcome.QUOTA_FULL: gettext_noop("All items of this study have been given out."),
    Outcome.TOO_LATE: gettext_noop(
        "The other items went to other people, or the study closed, before you reached them."
    ),
    Outcome.WITHDRAWN: gettext_noop("You have withdrawn from the study."),
}
# In the address of a last page that goes nowhere by itself.
STAY = "stay"


def show(
    request: HttpRequest,
    sitting: Sitting,
    assignment: Assignment,
    *,
    steps: Steps | None = None,
    ahead: Sequence[Assignment] = (),
    message: str = "",
    report: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """One item: the whole page, or only its main part where htmx asked. The first time it is served is stamped.

    `report` is one that was not taken, with what is in the way. The first of `ahead` comes along with the page, to be
    looked at while the answer is under way.
    """
    if assignment.shown_at is None:
        Assignment.objects.filter(pk=assignment.pk).stamp_shown()
    context = _context(sitting, assignment, steps, message)
    if ahead and not context["is_practice"]:
        # Behind an answer to a practice item comes what there is to say about it.
        context["ahead"] = _ahead(sitting.study, ahead[0], context["number"] + 1)
    if sitting.study.report_problem:
        context["report"] = report or {"text": reported(assignment)}
    return render(request, "annotation/item.html", context, status=status)


def show_done(request: HtmxRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    """Thank you, what happens next, and the code. Whoever comes here has all that they gave committed.

    To whoever was too late while the study is closed, that is what it says.
    """
    back = of_sitting(sitting)
    if back.redirects and request.htmx and not message:
        # As a page of its own, which then goes on to the platform without a script's help.
        return HttpResponse(status=204, headers={"HX-Redirect": sitting.get_absolute_url()})
    goes_on = back.redirects and STAY not in request.GET
    answered, _ = sitting.progress()
    outcome = Outcome(sitting.outcome)
    is_closed = outcome is Outcome.TOO_LATE and sitting.study.state == Study.State.CLOSED
    context = {
        "back": back,
        "seconds": SECONDS if goes_on else 0,
        "stay": f"?{STAY}",
        "study": sitting.study,
        "keeps": not is_preview(sitting),
        "payment": pay_in_words(sitting.study) if outcome is Outcome.COMPLETED else "",
        "answered": answered,
        "is_closed": is_closed,
        "ended": gettext(ENDED[outcome]) if outcome in ENDED else "",
        # Slots that were left went to others, or a verdict ended the sitting; the page does not say which.
        "ended_early": sitting.assignments.filter(state=Assignment.State.RELEASED).exists(),
        "message": message,
    }
    response = render(request, "annotation/done.html", context, status=410 if is_closed else status)
    if goes_on:
        # What a <meta> of the page would say, before the page is read.
        response["Refresh"] = f"{SECONDS}; url={back.address}"
    return response


def _context(sitting: Sitting, assignment: Assignment, steps: Steps | None, message: str) -> dict[str, Any]:
    study, task = sitting.study, sitting.study.task
    answered, total = sitting.progress(steps)
    going_back = assignment.is_answered
    # The place among the items offered: positions have gaps where a lapsed slot went to someone else.
    number = answered if going_back else answered + 1
    is_practice = assignment.position <= sitting.practice_items
    keeps = not is_preview(sitting)
    said = message or (gettext("Saved.") if answered and keeps and not going_back else "")
    counts = {"number": number, "total": total}
    shown = task.page_context(assignment.item.content, assignment.presentation)
    answer = assignment.judgment.answer if going_back else CANNOT_JUDGE
    return {
        "sitting": sitting,
        "study": study,
        "keeps": keeps,
        "instructions": rendered(study.instructions),
        "task_key": task.key,
        # Rendered apart, so that a task type's template sees what is shown and nothing else of the item.
        "stimulus": stimulus(study, shown),
        **worded(study, shown),
        "chosen": task.posted(answer, assignment.presentation) if answer != CANNOT_JUDGE else "",
        "was_declined": going_back and answer == CANNOT_JUDGE,
        "position": assignment.position,
        "submission": submission_of_page(),
        "ends_soon": ENDS_SOON,
        "is_practice": is_practice,
        # Said once, on the first item behind practice.
        "items_begin": not is_practice and answered == 0 and sitting.practice_items > 0,
        "number": number,
        "answered": answered,
        "total": total,
        # For those who hear the page.
        "announcement": f"{said} {_place(is_practice=is_practice, going_back=going_back) % counts}".lstrip(),
        "can_go_back": answered > 0 and not going_back,
        "message": message,
    }


def _ahead(study: Study, assignment: Assignment, number: int) -> dict[str, Any]:
    shown = study.task.page_context(assignment.item.content, assignment.presentation)
    options = {**worded(study, shown), "task_key": study.task.key}
    return {
        "position": assignment.position,
        "number": number,
        "stimulus": stimulus(study, shown),
        "question": render_to_string("annotation/options.html", options),
    }


def _place(*, is_practice: bool, going_back: bool) -> str:
    if is_practice and going_back:
        return gettext("Practice %(number)s of %(total)s, answered before.")
    if is_practice:
        return gettext("Practice %(number)s of %(total)s.")
    if going_back:
        return gettext("Item %(number)s of %(total)s, answered before.")
    return gettext("Item %(number)s of %(total)s.")
