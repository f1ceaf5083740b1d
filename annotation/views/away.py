"""The page where the database does not answer. Nothing here asks it: not for the language, nor for who reads."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, gettext, override
from django.views.defaults import server_error

from work.watching.counted import count

# Those of annotators, whose answer goes on standing in the page.
ANSWERED = ("welcome", "item", "back", "report_problem")
RETRY_SECONDS = 10


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler500. Annotators' pages send again by themselves where a 503 answers (annotator-saving.js)."""
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return server_error(request)
    count("database_errors")
    match = request.resolver_match
    is_annotators = match is not None and match.url_name in ANSWERED
    # In the browser's language: the study's is in the database.
    with override(get_language_from_request(request) if is_annotators else "en"):
        kept = list(request.POST.lists()) if is_annotators and request.method == "POST" else []
        if request.method == "POST":
            sentence = gettext("Our database does not answer. Your answer was not saved.")
        else:
            sentence = gettext("Our database does not answer. Please try again in a minute.")
        context = {"heading": gettext("Not available right now"), "sentence": sentence, "kept": kept}
        page = render_to_string("annotation/away.html", context | {"address": request.get_full_path(), "request": None})
    answer = HttpResponse(page, status=503)
    answer["Retry-After"] = str(RETRY_SECONDS)
    return answer
