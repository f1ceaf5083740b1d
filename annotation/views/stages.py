"""The pages of the stages around the items: of each, what draws it and what takes what it posts.

That which takes returns a page where something is in the way, and None where the sitting has gone on (place.py then
shows where to). To add one: two functions here, a line in `PAGES` of place.py, and its template in
templates/annotation/stages.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from annotation.models import CANNOT_JUDGE, Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.paying.money import pay_in_words
from annotation.stages.declared import Comprehension, Field, Question
from annotation.stages.flows import (
    Standing,
    decide_consent,
    leave_comprehension,
    leave_debriefing,
    leave_feedback,
    questionnaire_answers,
    read_instructions,
    refuse_elsewhere,
    standing,
    store_questionnaire,
    try_comprehension,
)
from annotation.views.showing import ENDS_SOON
from annotation.views.wording import rendered, stimulus, worded

LONGEST = {"text": 200, "language": 100, "long_text": 2_000}
REQUIRED = {"required": gettext_lazy("Please answer this question.")}
NOT_RIGHT = gettext_noop("The answer you chose was not correct.")
DECISIONS = {"agree": True, "decline": False}


def stage_page(
    request: HttpRequest, sitting: Sitting, name: str, *, message: str, status: int, **context: Any
) -> HttpResponse:
    """The stage's template; `name` is also what its form says it is about."""
    shared = {
        "sitting": sitting,
        "study": sitting.study,
        "stage": name,
        "instructions": rendered(sitting.study.instructions),
        "message": message,
        "ends_soon": ENDS_SOON,
    }
    return render(request, f"annotation/stages/{name}.html", shared | context, status=status)


def show_consent(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    path = sitting.study.path
    assert path.consent is not None  # else nobody stands here
    context = {"consent": path.consent, "text": rendered(path.consent.text), "information": path.information}
    context |= {"payment": pay_in_words(sitting.study)}
    return stage_page(request, sitting, "consent", message=message, status=status, **context)


def take_consent(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    agreed = DECISIONS.get(request.POST.get("decision", ""))
    if agreed is None:
        refuse_elsewhere(sitting, Stage.CONSENT)
        return show_consent(request, sitting, message=gettext("Please say whether you agree."), status=422)
    decide_consent(sitting, agreed=agreed, version=request.POST.get("version", ""))
    return None


def show_instructions(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    return stage_page(request, sitting, "instructions", message=message, status=status, are_back=sitting.holds_items)


def take_instructions(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    read_instructions(sitting)
    return None


@dataclass(frozen=True, slots=True)
class QuestionOnPage:
    """A question as it stands on the page: what is chosen, and why the answer before was wrong, if it was."""

    name: str
    question: Question
    chosen: str
    why: SafeString


def show_comprehension(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    return _comprehension_page(request, sitting, {}, message=message, status=status)


def take_comprehension(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    asked = _comprehension_of(sitting)
    if standing(sitting, asked).passed:
        leave_comprehension(sitting, asked)
        return None
    given = {name: request.POST.get(name, "") for name in _names(asked)}
    questions = zip(asked.questions, given.values(), strict=True)
    if any(answer not in question.options for question, answer in questions):
        refuse_elsewhere(sitting, Stage.COMPREHENSION)
        message = gettext("Please answer every question, then continue.")
        return _comprehension_page(request, sitting, given, message=message, status=422)
    number = request.POST.get("number", "")
    try_comprehension(
        sitting, asked, int(number) if number.isdecimal() and len(number) < 3 else 0, list(given.values())
    )
    return None


def _comprehension_page(
    request: HttpRequest, sitting: Sitting, given: dict[str, str], *, message: str, status: int
) -> HttpResponse:
    asked = _comprehension_of(sitting)
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


def _question(name: str, question: Question, now: Standing, given: str | None) -> QuestionOnPage:
    before = now.earlier_answer(question.question)
    was_wrong = bool(before) and before != question.answer
    # What was right stays chosen; what was wrong is chosen anew.
    chosen = given if given is not None else "" if was_wrong else before
    why = rendered(question.explanation or gettext(NOT_RIGHT)) if was_wrong else SafeString("")
    return QuestionOnPage(name, question, chosen, why)


def _names(asked: Comprehension) -> list[str]:
    return [f"question_{number}" for number in range(1, len(asked.questions) + 1)]


def _comprehension_of(sitting: Sitting) -> Comprehension:
    asked = sitting.study.path.comprehension
    # A study whose questions were taken out while somebody was at them asks nothing more.
    return asked if asked is not None else Comprehension(1, ())


def show_feedback(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    assert sitting.explaining is not None  # else nobody stands here
    found = sitting.assignments.select_related("item", "judgment").get(position=sitting.explaining)
    task, item = sitting.study.task, found.item
    shown = task.page_context(item.content, found.presentation)
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
        heading=_feedback_heading(answer, reference),
        is_right=answer == reference,
        why=rendered(item.explanation),
        position=found.position,
        number=sitting.assignments.filter(position__lte=found.position).count(),
        total=sitting.practice_items,
        is_last=found.position == sitting.practice_items,
    )


def take_feedback(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    position = request.POST.get("position", "")
    leave_feedback(sitting, int(position) if position.isdecimal() and len(position) < 6 else 0)
    return None


def _feedback_heading(answer: str, reference: str | None) -> str:
    if reference is None:
        return gettext("About this item")
    if answer == CANNOT_JUDGE:
        return gettext("This is the expected answer")
    return gettext("That is the expected answer") if answer == reference else gettext("A different answer was expected")


def show_questionnaire(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    form = _questionnaire_form(sitting, initial=questionnaire_answers(sitting))
    return _questionnaire_page(request, sitting, form, message=message, status=status)


def take_questionnaire(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    form = _questionnaire_form(sitting, data=request.POST)
    if not form.is_valid():
        refuse_elsewhere(sitting, Stage.QUESTIONNAIRE, Stage.DEBRIEFING)
        message = gettext("Please fix the marked questions.")
        return _questionnaire_page(request, sitting, form, message=message, status=422)
    store_questionnaire(sitting, form.cleaned_data)
    return None


def _questionnaire_page(
    request: HttpRequest, sitting: Sitting, form: forms.Form, *, message: str, status: int
) -> HttpResponse:
    fields = sitting.study.path.questionnaire
    asked = [(field, form[field.name]) for field in fields]
    optional = not any(field.required for field in fields)
    return stage_page(
        request, sitting, "questionnaire", message=message, status=status, asked=asked, is_optional=optional
    )


def _questionnaire_form(sitting: Sitting, **given: Any) -> forms.Form:
    form = forms.Form(**given, auto_id="field-%s")
    form.fields = {field.name: _field(field) for field in sitting.study.path.questionnaire}
    return form


def _field(asked: Field) -> forms.Field:
    shared: dict[str, Any] = {"label": asked.question, "required": asked.required, "error_messages": REQUIRED}
    if asked.choices:
        none = [] if asked.required else [("", gettext("No answer"))]
        # Stored is the band as the study file's documentation names it; the researcher's own options stay as they are.
        words = gettext if asked.kind == "age_band" else str
        choices = [*((one, words(one)) for one in asked.choices), *none]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **shared)
    widget = forms.Textarea(attrs={"rows": 4}) if asked.kind == "long_text" else forms.TextInput()
    return forms.CharField(max_length=LONGEST[asked.kind], widget=widget, **shared)


def show_debriefing(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    path = sitting.study.path
    return stage_page(
        request,
        sitting,
        "debriefing",
        message=message,
        status=status,
        text=rendered(path.debriefing),
        can_go_back=bool(path.questionnaire) and hasattr(sitting, "questionnaire"),
    )


def take_debriefing(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    leave_debriefing(sitting)
    return None
