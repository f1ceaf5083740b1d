"""The page where the database does not answer. Nothing is looked up in it: not the language, nor who reads."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, gettext, override
from django.views.defaults import server_error

from work.watching.counted import count
from work.watching.health import RETRY_SECONDS, is_away

# Those of annotators, whose answer goes on standing in the page.
ANSWERED = ("welcome", "item", "back", "report_problem")


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler500. Annotators' pages send again by themselves where a 503 answers (annotator-saving.js)."""
    if not is_away(sys.exc_info()[1]):
        return server_error(request)
    count("database_errors")
    match = request.resolver_match
    is_annotators = match is not None and match.url_name in ANSWERED
    is_post = request.method == "POST"
    # In the browser's language: the study's is in the database.
    with override(get_language_from_request(request) if is_annotators else "en"):
        context = {
            "heading": gettext("Not available right now"),
            "sentence": _sentence(is_post=is_post, is_annotators=is_annotators),
            "kept": list(request.POST.lists()) if is_annotators and is_post else [],
            # Of another form this page keeps nothing, and its address may take nothing but POST.
            "address": request.get_full_path() if is_annotators or not is_post else "",
            "request": None,
        }
        page = render_to_string("annotation/away.html", context)
    answer = HttpResponse(page, status=503)
    answer["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _sentence(*, is_post: bool, is_annotators: bool) -> str:
    if is_post and is_annotators:
        return gettext("Our database does not answer. Your answer was not saved.")
    if is_post:
        return "Our database does not answer. In a minute, go back and send the form again."
    return gettext("Our database does not answer. Please try again in a minute.")
