"""Requests: with the token, again where the server says so, page by page; and the errors of what is refused."""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

SHOWN = 20

ROWS = 10_000
# So often somebody who asks too much waits a minute before they are told.
MOST_WAITS = 3
COMPUTING, TOO_MANY = 202, 429
# Before it tries again what got no answer: a server that starts anew is there within a minute.
PAUSES = (1, 4, 15, 40)
Query = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with what was sent: `line` counts items, labels or scores from 1."""

    field: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line is not None else []
        return f"{', '.join([*where, self.field] if self.field else where)}: {self.message}"


class ParallaxError(Exception):
    """Refused, and nothing has changed: `status` is HTTP's, `title` a sentence, `faults` are by line and field."""

    def __init__(self, status: int, title: str, faults: tuple[Fault, ...] = ()) -> None:
        self.status, self.title, self.faults = status, title, faults
        lines = [f"{title} ({status})", *(f"  {fault}" for fault in faults[:SHOWN])]
        if len(faults) > SHOWN:
            lines.append(f"  … and {len(faults) - SHOWN} more")
        super().__init__("\n".join(lines))

    @classmethod
    def of(cls, status: int, said: Any, *, otherwise: str) -> "ParallaxError":
        """Of a refusal in the API's shape; `otherwise` is said of an answer in any other."""
        if not isinstance(said, dict) or "title" not in said:
            return cls(status, otherwise)
        faults = tuple(Fault(one["field"], one["message"], one.get("line")) for one in said.get("faults", ()))
        return cls(status, said["title"], faults)


class TimedOut(Exception):
    """What was waited for has not come in time; it goes on by itself."""


class Asking:
    """One server and one token."""

    def __init__(self, url: str, token: str, *, timeout: float, transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout,
            transport=transport,
        )

    def close(self) -> None:
        self._http.close()

    def send(self, method: str, address: str, body: Any = None, **more: Any) -> httpx.Response:
        """The answer; ParallaxError where it is a refusal. Too many requests: waits as long as the server says."""
        if body is not None:
            more["content"] = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            more["headers"] = {"Content-Type": "application/json", **more.get("headers", {})}
        answer = self._http.request(method, address, **more)
        for _ in range(MOST_WAITS):
            if answer.status_code != TOO_MANY:
                break
            time.sleep(_seconds(answer, otherwise=60))
            answer = self._http.request(method, address, **more)
        if answer.status_code >= 400:
            raise refusal(answer)
        return answer

    def get(self, address: str, query: Query | None = None) -> Any:
        return self.send("GET", address, params=dict(query or {})).json()

    def post(self, address: str, body: Any = None) -> Any:
        return self.send("POST", address, body).json()

    def create(self, address: str, body: Any) -> Any:
        """What makes something, with a key by which the server knows it again. Where the line is lost before the answer
        is here, it is sent again: whether it had arrived or not, it makes one thing.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        for pause in PAUSES:
            try:
                return self.send("POST", address, body, headers=headers).json()
            except httpx.TransportError:
                time.sleep(pause)
        return self.send("POST", address, body, headers=headers).json()

    def rows(self, address: str, query: Query | None = None) -> Iterator[dict[str, Any]]:
        """Every row of a list, however many pages it has."""
        cursor: str | None = ""
        while cursor is not None:
            page = self.get(address, {"limit": ROWS, **(query or {}), **({"cursor": cursor} if cursor else {})})
            yield from page["data"]
            cursor = page["next"]

    def computed(self, address: str, query: Query | None, *, wait: float) -> httpx.Response:
        """What a worker may have to compute first; TimedOut where it takes longer than `wait` seconds."""
        until = time.monotonic() + wait
        while (answer := self.send("GET", address, params=dict(query or {}))).status_code == COMPUTING:
            pause = _seconds(answer, otherwise=2)
            if time.monotonic() + pause > until:
                raise TimedOut(f"{address} is not there after {wait:g} s: {answer.json()['words']}.")
            time.sleep(pause)
        return answer


def refusal(answer: httpx.Response) -> ParallaxError:
    try:
        said = answer.json()
    except ValueError:
        said = None
    return ParallaxError.of(answer.status_code, said, otherwise=f"{answer.url} answered {answer.reason_phrase}.")


def _seconds(answer: httpx.Response, *, otherwise: float) -> float:
    given = answer.headers.get("Retry-After", "")
    return float(given) if given.isdecimal() else otherwise
