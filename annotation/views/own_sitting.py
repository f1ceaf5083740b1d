"""The addresses of a sitting: each answers to the browser that holds it, in the study's language, and to no other."""

from collections.abc import Callable

from django.http import HttpResponse

from annotation.arrival.framing import framed
from annotation.arrival.holding import is_holder, was_holder
from annotation.models import Sitting
from annotation.models.prepared import Prepared
from annotation.views import notices
from annotation.views.htmx import HtmxRequest
from annotation.views.speaking import speaking_for
from annotation.way_back import of_sitting, way_back

BY_TOKEN = Prepared(lambda token: Sitting.objects.select_related("study", "annotator").filter(token=token))


def answered(request: HtmxRequest, token: str, answer: Callable[[HtmxRequest, Sitting], HttpResponse]) -> HttpResponse:
    """What `answer` makes of the sitting, or why it is not asked."""
    sitting = BY_TOKEN.first(token)
    if sitting is None:
        return notices.unknown_address(request)
    with speaking_for(sitting.study):
        return framed(_answered(request, sitting, answer), sitting.study)


def _answered(
    request: HtmxRequest, sitting: Sitting, answer: Callable[[HtmxRequest, Sitting], HttpResponse]
) -> HttpResponse:
    if is_holder(request, sitting):
        return answer(request, sitting)
    if was_holder(request, sitting):
        return notices.erased(request, of_sitting(sitting))
    return notices.not_this_browser(request, way_back(sitting.study, None))
