"""The text that somebody agrees to or not, with what the study says of itself."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from annotation.models import Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.stages.consent import decide
from annotation.stages.walking import refuse_elsewhere
from annotation.views.markdown import rendered
from annotation.views.stages.page import stage_page

DECISIONS = {"agree": True, "decline": False}


def show(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    path = sitting.study.path
    assert path.consent is not None  # else nobody stands here
    context = {"consent": path.consent, "text": rendered(path.consent.text), "information": path.information}
    return stage_page(request, sitting, "consent", message=message, status=status, **context)


def take(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    agreed = DECISIONS.get(request.POST.get("decision", ""))
    if agreed is None:
        refuse_elsewhere(sitting, Stage.CONSENT)
        return show(request, sitting, message=gettext("Please say whether you agree."), status=422)
    decide(sitting, agreed=agreed, version=request.POST.get("version", ""))
    return None
