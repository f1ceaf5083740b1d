"""Answers with an ETag: what somebody has already is not sent again, and nothing is changed that they have not seen."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from comparison.frame.cache.remembered import PROGRAM

JSON = "application/json"


def encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def document(
    request: HttpRequest, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """JSON, with the ETag of what it says; 304 where the caller has it."""
    tag = tag_of_value(value)
    if request.method == "GET" and status == 200 and matches(request, tag):
        return not_modified(tag)
    response = HttpResponse(encoded(value), status=status, content_type=JSON, headers=dict(headers or {}))
    response.headers["ETag"] = f'W/"{tag}"'
    return response


def tag_of_value(value: Any) -> str:
    return hashlib.sha256(encoded(value)).hexdigest()[:32]


def unchanged_since(request: HttpRequest, version: str) -> HttpResponse | None:
    """304 where the caller has what this address says for this version of the rows; then nothing need be read."""
    return not_modified(tag_of(request, version)) if matches(request, tag_of(request, version)) else None


def versioned(request: HttpRequest, body: bytes, version: str) -> HttpResponse:
    """Rows, with the ETag of the version that they rest on and of what was asked of them."""
    response = HttpResponse(body, content_type=JSON)
    response.headers["ETag"] = f'W/"{tag_of(request, version)}"'
    return response


def tag_of(request: HttpRequest, version: str) -> str:
    asked = f"{PROGRAM} {version} {request.get_full_path()}"
    return hashlib.sha256(asked.encode(errors="replace")).hexdigest()[:32]


def matches(request: HttpRequest, tag: str, *, header: str = "If-None-Match") -> bool:
    """Whether the header names this tag. What was compressed on its way has W/ before it, and says the same."""
    given = request.headers.get(header, "")
    return given.strip() == "*" or tag in [one.strip().removeprefix("W/").strip('"') for one in given.split(",")]


def not_modified(tag: str) -> HttpResponse:
    return HttpResponse(status=304, headers={"ETag": f'W/"{tag}"'})
