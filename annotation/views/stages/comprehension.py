"""The comprehension questions; in a second try, with what was wrong in the first."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop

from annotation.models import Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.stages.comprehension import Standing, attempt, go_on, standing
from annotation.stages.declared import Comprehension, Question
from annotation.stages.walking import refuse_elsewhere
from annotation.views.markdown import rendered
from annotation.views.stages.page import stage_page

NOT_RIGHT = gettext_noop("The answer that you chose was not right.")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it stands on the page: what is chosen, and why the answer before was wrong, if it was."""

    name: str
    question: Question
    chosen: str
    why: SafeString


def show(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    return _page(request, sitting, {}, message=message, status=status)


def take(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    asked = _asked(sitting)
    if standing(sitting, asked).passed:
        go_on(sitting, asked)
        return None
    given = {name: request.POST.get(name, "") for name in _names(asked)}
    questions = zip(asked.questions, given.values(), strict=True)
    if any(answer not in question.options for question, answer in questions):
        refuse_elsewhere(sitting, Stage.COMPREHENSION)
        message = gettext("Please answer every question, then continue.")
        return _page(request, sitting, given, message=message, status=422)
    number = request.POST.get("number", "")
    attempt(sitting, asked, int(number) if number.isdecimal() and len(number) < 3 else 0, list(given.values()))
    return None


def _page(request: HttpRequest, sitting: Sitting, given: dict[str, str], *, message: str, status: int) -> HttpResponse:
    asked = _asked(sitting)
    now = standing(sitting, asked)
    questions = [
        _question(name, question, now, given.get(name))
        for name, question in zip(_names(asked), asked.questions, strict=True)
    ]
    return stage_page(
        request,
        sitting,
        "comprehension",
        message=message,
        status=status,
        now=now,
        questions=questions,
        wrong=sum(bool(one.why) for one in questions),
    )


def _question(name: str, question: Question, now: Standing, given: str | None) -> Asked:
    before = now.given(question.question)
    was_wrong = bool(before) and before != question.answer
    # What was right stays chosen; what was wrong is chosen anew.
    chosen = given if given is not None else "" if was_wrong else before
    why = rendered(question.explanation or gettext(NOT_RIGHT)) if was_wrong else SafeString("")
    return Asked(name, question, chosen, why)


def _names(asked: Comprehension) -> list[str]:
    return [f"question_{number}" for number in range(1, len(asked.questions) + 1)]


def _asked(sitting: Sitting) -> Comprehension:
    asked = sitting.study.path.comprehension
    # A study whose questions were taken out while somebody was at them asks nothing more.
    return asked if asked is not None else Comprehension(1, ())
