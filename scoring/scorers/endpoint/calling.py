"""One address on the network, which the installation's settings name, and how it is called. Nothing else is reached.

`http.client` of the standard library follows no redirect and reads no proxy from the environment.
"""

import http.client
import json
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult, urlsplit

from scoring.scorers.contract import ModelError

# For the connection, and again for the whole of the answer, however it comes.
TIMEOUT_SECONDS = 60.0
# Six tries over about a minute: 1, 2, 4, 8, 16 seconds between them, each shortened by up to a half by chance, so
# that several workers do not come back at the same moment (exponential back-off with jitter).
TRIES = 6
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
MOST_BYTES = 1_000_000
NO_ANSWER = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that went out. `status` is NO_ANSWER where none came back, and `fault` says in words why."""

    status: int
    milliseconds: int
    body: Mapping[str, Any]
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The endpoint that an installation names, and who counts what its calls cost.

    `hold` may refuse before each attempt; `record` takes the sha256 of what was asked, and what came of it.
    """

    url: str
    key: str = field(repr=False)
    models: tuple[str, ...]
    hold: Callable[[], None]
    record: Callable[[str, Attempt], None]


def address(url: str) -> SplitResult:
    """The parts of an endpoint's address; ModelError if it is not one."""
    try:
        parts = urlsplit(url)
        # Read, a port that is no number is an error; a user, even an empty one with a password, would be written down.
        sound = parts.port != 0 and bool(parts.hostname) and not parts.query and "@" not in parts.netloc
    except ValueError:
        sound = False
    if not sound or parts.scheme not in ("http", "https"):
        raise ModelError("PROMPT_ENDPOINT must be an address such as https://api.example.org/v1, without query or user")
    return parts


def written(url: str) -> str:
    """The address as runs keep it: the same for all ways of writing it that are called alike."""
    parts = address(url)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def call(
    url: str,
    key: str,
    payload: Mapping[str, Any],
    *,
    hold: Callable[[], None],
    record: Callable[[Attempt], None],
) -> Mapping[str, Any]:
    """The answer to one completion; attempts may be refused (`hold`) and are recorded. ModelError if there is none."""
    wait = FIRST_WAIT
    for number in range(1, TRIES + 1):
        hold()
        attempt, asked_to_wait = _once(address(url), key, payload)
        record(attempt)
        if attempt.status == http.client.OK:
            return attempt.body
        if attempt.status not in (NO_ANSWER, 408, 429) and attempt.status < 500:
            raise ModelError(f"the endpoint {refusal(attempt, key)}")
        if number < TRIES:
            time.sleep(min(LONGEST_WAIT, max(asked_to_wait, wait * random.uniform(0.5, 1))))
            wait *= 2
    outcome = "did not answer" if attempt.status == NO_ANSWER else f"answered {attempt.status}"
    raise ModelError(f"the endpoint {outcome} {TRIES} times; resume the run to continue")


def call_once(url: str, key: str, payload: Mapping[str, Any]) -> Attempt:
    """One attempt, whatever comes of it. ModelError where the settings allow none."""
    return _once(address(url), key, payload)[0]


def refusal(attempt: Attempt, key: str) -> str:
    """What an endpoint did that answered and gave no completion."""
    if 300 <= attempt.status < 400:
        return f"answered with a redirect ({attempt.status}); redirects are not followed"
    return f"{'failed' if attempt.status >= 500 else 'refused the request'} ({attempt.status}){_message(attempt, key)}"


def _message(attempt: Attempt, key: str) -> str:
    error = attempt.body.get("error")
    message = str(error.get("message", "")) if isinstance(error, dict) else ""
    # Some servers say which key it was that they refused.
    message = message.replace(key, "…") if key else message
    return f": {message[:200].rstrip('.')}" if message else ""


def _once(parts: SplitResult, key: str, payload: Mapping[str, Any]) -> tuple[Attempt, float]:
    """The attempt, and the seconds that the server asks to wait."""
    if not (key.isascii() and key.isprintable()):
        raise ModelError("PROMPT_ENDPOINT_KEY holds a character that no header may hold, perhaps the end of a line")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    started = time.monotonic()
    status, after, read, fault = NO_ANSWER, "", b"", ""
    try:
        connection.connect()
        with _deadline(connection.sock):
            connection.request("POST", f"{parts.path.rstrip('/')}/chat/completions", json.dumps(payload), headers)
            response = connection.getresponse()
            read = response.read(MOST_BYTES)
        if response.length and len(read) < MOST_BYTES:
            raise http.client.IncompleteRead(read, response.length)
        status, after = response.status, response.getheader("Retry-After", "")
    except (OSError, http.client.HTTPException) as error:
        # No connection, a timeout, or an answer that broke off: recorded as such, and tried again.
        status, fault = NO_ANSWER, _fault(error, connected=connection.sock is not None)
    finally:
        connection.close()
    milliseconds = round(1000 * (time.monotonic() - started))
    body = _json(read)
    if body is None and status == http.client.OK:
        # Half an answer, or the page of something in between.
        status, fault = NO_ANSWER, "answered something other than a JSON object, so it is no such endpoint"
    return Attempt(status, milliseconds, body or {}, fault), _seconds(after)


def _fault(error: Exception, *, connected: bool) -> str:
    match error:
        case socket.gaierror():
            return "cannot be reached: its name is not known here"
        case ssl.SSLError():
            return f"cannot be reached: no secure connection ({error.reason or error})"
        case TimeoutError():
            return f"gave no whole answer within {TIMEOUT_SECONDS:g} seconds"
        case OSError() if not connected:
            return f"cannot be reached ({error.strerror or error})"
    return "broke off its answer"


@contextmanager
def _deadline(connected: socket.socket) -> Iterator[None]:
    """TimeoutError if the block takes longer. The socket's own timeout begins anew with every byte that comes."""
    over = threading.Event()

    def end() -> None:
        over.set()
        # It may be closed by now. Below TLS, so that whoever reads finds the end of the stream and not half a layer.
        with suppress(OSError):
            socket.socket.shutdown(connected, socket.SHUT_RDWR)

    timer = threading.Timer(TIMEOUT_SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    # An answer without a length ends where the stream does, so that half of one would pass for a whole.
    if over.is_set():
        raise TimeoutError


def _seconds(after: str) -> float:
    """How long Retry-After asks to wait: a number of seconds, or until a date; 0 if it says neither."""
    if after.isdecimal():
        return float(after)
    try:
        until = parsedate_to_datetime(after)
    except (ValueError, OverflowError):
        return 0.0
    # A date whose zone is unknown is read as UTC (RFC 9110 knows no other).
    return (until if until.tzinfo else until.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp()


def _json(read: bytes) -> Mapping[str, Any] | None:
    """The answer's object; None if it holds none."""
    try:
        body = json.loads(read)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
