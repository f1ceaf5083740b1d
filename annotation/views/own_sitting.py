"""The addresses of a sitting: each answers to the browser that holds it, in the study's language, and to no other."""

from collections.abc import Callable

from django.http import HttpResponse

from annotation.arrival.framing import framed
from annotation.arrival.holding import is_holder
from annotation.models import Sitting
from annotation.models.prepared import Prepared
from annotation.views import notices
from annotation.views.htmx import HtmxRequest
from annotation.views.speaking import speaking_for

BY_TOKEN = Prepared(lambda token: Sitting.objects.select_related("study", "annotator").filter(token=token))


def answered(request: HtmxRequest, token: str, answer: Callable[[HtmxRequest, Sitting], HttpResponse]) -> HttpResponse:
    """What `answer` makes of the sitting, or why it is not asked."""
    sitting = BY_TOKEN.first(token)
    if sitting is None:
        return notices.unknown_address(request)
    with speaking_for(sitting.study):
        page = answer(request, sitting) if is_holder(request, sitting) else notices.not_this_browser(request)
        return framed(page, sitting.study)
