"""The questionnaire behind the last item."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from annotation.models import Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.stages.declared import Field
from annotation.stages.questionnaire import given, store
from annotation.stages.walking import refuse_elsewhere
from annotation.views.stages.page import stage_page

LONGEST = {"text": 200, "language": 100, "long_text": 2_000}
REQUIRED = {"required": gettext_lazy("Please answer this question.")}


def show(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    form = _form(sitting, initial=given(sitting))
    return _page(request, sitting, form, message=message, status=status)


def take(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    form = _form(sitting, data=request.POST)
    if not form.is_valid():
        refuse_elsewhere(sitting, Stage.QUESTIONNAIRE, Stage.DEBRIEFING)
        message = gettext("Please look at the questions marked below.")
        return _page(request, sitting, form, message=message, status=422)
    store(sitting, form.cleaned_data)
    return None


def _page(request: HttpRequest, sitting: Sitting, form: forms.Form, *, message: str, status: int) -> HttpResponse:
    fields = sitting.study.path.questionnaire
    asked = [(field, form[field.name]) for field in fields]
    optional = not any(field.required for field in fields)
    return stage_page(
        request, sitting, "questionnaire", message=message, status=status, asked=asked, is_optional=optional
    )


def _form(sitting: Sitting, **given: Any) -> forms.Form:
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
