"""The instructions on a page of their own: before the items, and again after a time away."""

from django.http import HttpRequest, HttpResponse

from annotation.models import Sitting
from annotation.stages.walking import read_instructions
from annotation.views.stages.page import stage_page


def show(request: HttpRequest, sitting: Sitting, *, message: str = "", status: int = 200) -> HttpResponse:
    return stage_page(request, sitting, "instructions", message=message, status=status, are_back=sitting.holds_items)


def take(request: HttpRequest, sitting: Sitting) -> HttpResponse | None:
    read_instructions(sitting)
    return None
