"""What people are told once they are done."""

from django.http import HttpRequest, HttpResponse

from annotation.models import Sitting
from annotation.stages.walking import leave_debriefing
from annotation.views.markdown import rendered
from annotation.views.stages.page import stage_page


def show(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
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


def take(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    leave_debriefing(sitting)
    return None
