"""What there is to say about the practice item that was answered last: the reference, and why."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from annotation.models import CANNOT_JUDGE, Sitting
from annotation.stages.practice import leave_feedback
from annotation.views.markdown import rendered
from annotation.views.stages.page import stage_page
from annotation.views.wording import stimulus, worded


def show(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    assert sitting.explaining is not None  # else nobody stands here
    found = sitting.assignments.select_related("item", "judgment").get(position=sitting.explaining)
    task, item = sitting.study.task, found.item
    shown = task.shown(item.content, found.presentation)
    # In the words that stood on the page.
    asked = worded(sitting.study, shown)
    words = {option.value: option.text for option in asked["options"]}
    words[CANNOT_JUDGE] = gettext("I cannot judge this item")
    answer, reference = found.judgment.answer, item.reference
    return stage_page(
        request,
        sitting,
        "feedback",
        message=message,
        status=status,
        task_key=task.key,
        stimulus=stimulus(sitting.study, shown),
        **asked,
        answer=words[task.posted(answer, found.presentation) if answer else CANNOT_JUDGE],
        reference=words[task.posted(reference, found.presentation)] if reference is not None else "",
        heading=_heading(answer, reference),
        is_right=answer == reference,
        why=rendered(item.explanation),
        position=found.position,
        number=sitting.assignments.filter(position__lte=found.position).count(),
        total=sitting.practice_items,
        is_last=found.position == sitting.practice_items,
    )


def _heading(answer: str, reference: str | None) -> str:
    if reference is None:
        return gettext("About this item")
    if answer == CANNOT_JUDGE:
        return gettext("This is the expected answer")
    return gettext("That is the expected answer") if answer == reference else gettext("The expected answer is another")


def take(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    position = request.POST.get("position", "")
    leave_feedback(sitting, int(position) if position.isdecimal() and len(position) < 6 else 0)
    return None
