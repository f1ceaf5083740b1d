"""Middleware, outermost: each request has an id, is counted by the name of its address, and leaves a line."""

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from work.watching.lines import about
from work.watching.metrics import REQUESTS

log = logging.getLogger("parallax.requests")

ID = re.compile(r"[A-Za-z0-9-]{8,64}")


class Watched:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        key = given if ID.fullmatch(given) else uuid.uuid4().hex[:16]
        began = time.monotonic()
        with about(request=key):
            answer = self.get_response(request)
            seconds = time.monotonic() - began
            match = request.resolver_match
            view = (match.view_name if match else "") or "other"
            # A method is anybody's to invent.
            method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
            REQUESTS.labels(view, method, f"{answer.status_code // 100}xx").observe(seconds)
            if settings.LOG_FORMAT == "json":
                ids = {"view": view, "method": method, "status": answer.status_code, "ms": round(1000 * seconds)}
                study = match.kwargs.get("slug") if match else None
                log.info("request", extra={"ids": ids | ({"study": study} if study else {})})
        answer["X-Request-ID"] = key
        return answer
