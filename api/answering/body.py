"""What is sent: JSON within bounds, and nothing in it that could not be stored."""

import json
import math
from collections import Counter
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from api.answering.faults import Refused
from corpus.bounds import MOST_SENT, MOST_VALUES_SENT, fault_of_depth, fault_of_values
from corpus.characters import unstorable_within
from corpus.errors import Fault

# As many items as may be sent, each a page long. Django's own bound is for forms, which anybody may send.
MOST_BYTES = 50 * 1024 * 1024
SPLIT = "Send the data in several requests, or as a file in the browser."


def take_body(request: HttpRequest) -> None:
    """Read it, of a caller who is known by now; Refused where it is too large, or does not say that it is JSON."""
    if request.method in ("GET", "HEAD"):
        return
    data = request.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refused(413, f"Send at most {MOST_BYTES // 1024**2} MB per request; split larger data.")
    # Where Django looks for what was read before: its own reading would refuse more than a form has.
    request._body = data
    if data and request.content_type != "application/json":
        raise Refused(415, "Send JSON with the header Content-Type: application/json.")


class StrictJson(Parser):
    """JSON whose names are there once, without NaN, and whose texts a database can hold."""

    def parse_body(self, request: HttpRequest) -> Any:
        if wrong := fault_of_values(request.body, most=MOST_VALUES_SENT):
            raise Refused(413, SPLIT, faults=[Fault("body", wrong)])
        # ninja answers whatever is raised here with status 400, and keeps it as the cause.
        try:
            value = json.loads(request.body, **STRICT)
            # Only an escape brings a character into JSON that UTF-8 cannot hold, or NUL.
            wrong = unstorable_within(value) if b"\\u" in request.body else fault_of_depth(value)
        except (ValueError, RecursionError) as error:
            raise Refused(400, "The body is not valid JSON.", faults=[Fault("body", str(error))]) from None
        if wrong:
            raise Refused(400, "The body contains data that cannot be stored.", faults=[Fault("body", wrong)])
        long = [name for name, one in value.items() if _is_long(one)] if isinstance(value, dict) else []
        if long:
            raise Refused(413, SPLIT, faults=[Fault(name, f"has more than {MOST_SENT:,} entries") for name in long])
        return value


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > MOST_SENT


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _ in pairs)
        # repr: half a character can be read here, and be sent back by nobody.
        raise ValueError(f"{next(name for name, many in times.items() if many > 1)!r} is given twice")
    return found


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text[:20]} is too large a number")
    return number


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


STRICT: dict[str, Any] = {"object_pairs_hook": _once, "parse_float": _finite, "parse_constant": _refuse_constant}
