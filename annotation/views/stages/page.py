"""What the pages of all stages share."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.models import Sitting
from annotation.views.markdown import rendered
from annotation.views.showing import ENDS_SOON


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
