"""Pages that a platform shows inside its own, such as Mechanical Turk's ExternalQuestion.

Nobody else may frame them, and no page of another study. In a frame our cookies are a third party's: they are sent only
with SameSite=None, and kept by browsers that shut third parties out only if they are partitioned, by the platform's
site. What a forged post could do stands in the way of the CSRF token, as everywhere.
"""

from collections.abc import Callable, Mapping
from http.cookies import Morsel
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from annotation.models import Study
from annotation.platforms import PLATFORMS, Framing

MARK = "_in_a_frame"


def framing_of(study: Study) -> Framing | None:
    platform = PLATFORMS.get(study.platform)
    return platform.framing if platform else None


def is_preview(study: Study, query: Mapping[str, str]) -> bool:
    """Whether the platform shows what somebody could accept, and has not."""
    framing = framing_of(study)
    return framing is not None and query.get(framing.preview[0]) == framing.preview[1]


def submits_to(study: Study, query: Mapping[str, str]) -> str:
    """The origin that takes the end of this visit; empty for one that is not the platform's."""
    framing = framing_of(study)
    given = query.get(framing.submit_parameter, "").rstrip("/") if framing else ""
    return given if framing and given in framing.submits else ""


def framed(response: HttpResponse, study: Study) -> HttpResponse:
    """The response as the study's platform may frame it; as it is where none does."""
    framing = framing_of(study)
    if framing is not None:
        setattr(response, MARK, True)
        # As Django's decorator does it, and django-csp's.
        setattr(response, "xframe_options_exempt", True)  # noqa: B010
        setattr(response, "_csp_replace", {"frame-ancestors": list(framing.by)})  # noqa: B010
        # A browser holds the addresses that a form is led on to, to these as well.
        setattr(response, "_csp_update", {"form-action": list(framing.by)})  # noqa: B010
    return response


class CookiesInFrames:
    """A middleware, outside of all that set cookies."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if getattr(response, MARK, False):
            for name, morsel in list(response.cookies.items()):
                response.cookies[name] = _partitioned(morsel)
        return response


class _Partitioned(Morsel[str]):
    """Python's cookies know the attribute from 3.14 on."""

    def OutputString(self, attrs: Any = None) -> str:  # noqa: N802 Python's own name
        return f"{super().OutputString(attrs)}; Partitioned"


def _partitioned(morsel: "Morsel[str]") -> _Partitioned:
    found = _Partitioned()
    found.set(morsel.key, morsel.value, morsel.coded_value)
    found.update(morsel)
    found["samesite"], found["secure"] = "None", True
    return found
