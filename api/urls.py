from collections.abc import Iterable
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.csrf import csrf_exempt

from api import views
from api.answering.faults import problem
from api.v1 import api

ROOT = "api-root"


class Anything(StringConverter):
    """Also a line break, which `path` stops at."""

    regex = r"[\s\S]+"


register_converter(Anything, "anything")


def nothing(request: HttpRequest, **rest: Any) -> HttpResponse:
    return problem(404, "There is no such address. See /api/v1/openapi.json for all addresses.")


def opened(entries: Iterable[URLPattern | URLResolver]) -> list[URLPattern]:
    """The addresses ask for a token in the place of a login; the root, which ninja needs, says nothing."""
    lost = csrf_exempt(login_not_required(_in_one_shape(nothing)))
    found = [entry for entry in entries if isinstance(entry, URLPattern)]
    for entry in found:
        entry.callback = lost if entry.name == ROOT else csrf_exempt(login_not_required(_in_one_shape(entry.callback)))
    return [*found, path("<anything:rest>", lost, name="api_nothing")]


def _in_one_shape(view: Any) -> Any:
    """A method that an address does not take is refused as everything else is; no browser shows an answer as a page."""

    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        answer = view(request, *args, **kwargs)
        if answer.status_code == 405:
            allowed = answer.headers["Allow"]
            answer = problem(405, f"This address accepts {allowed}.", headers={"Allow": allowed})
        kind = "csv" if answer.headers.get("Content-Type", "").startswith("text/csv") else "json"
        answer.headers.setdefault("Content-Disposition", f'attachment; filename="api.{kind}"')
        return answer

    return answered


entries, app, namespace = api.urls
BY_TOKEN = opened(entries)
urlpatterns = [
    path("api/v1/", (BY_TOKEN, app, namespace)),
    path("api/", views.addresses, name="api_addresses"),
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/<int:pk>/withdraw/", views.withdraw, name="token_withdraw"),
]
