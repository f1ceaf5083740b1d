"""What is wrong with a request, in one shape: a status, a sentence, and the faults by line and field (RFC 9457)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from annotation.elsewhere.label_import import ImportRefused as LabelsRefused
from annotation.loading import LoadRefused
from api.answering.documents import encoded
from corpus.errors import Fault as SourceFault
from corpus.errors import SourceError
from corpus.tables.columns import MapError
from scoring.imported.importing import ImportRefused as ScoresRefused
from scoring.imported.lines import ScoreFileError
from scoring.runs.fitting import CannotRun
from work.watching.counted import count
from work.watching.health import RETRY_SECONDS, is_away

TYPE = "application/problem+json"
# Of a file with a million faulty lines, nobody reads more.
MOST = 200
LINE = re.compile(r"line (\d{1,9})(?:\.|$)(.*)", re.DOTALL)


class Fault(Schema):
    """A problem: the line of the items, labels or scores, the field, and what to do."""

    line: Annotated[int | None, Field(description="Line number from 1; null if the problem has no line.")] = None
    field: str
    message: str


class Problem(Schema):
    """Why the request was refused."""

    status: int
    title: str = Field(description="A sentence.")
    faults: list[Fault] = []


class Refused(Exception):
    """Answered with this status and sentence. Nothing has changed."""

    def __init__(
        self,
        status: int,
        title: str,
        *,
        faults: Sequence[SourceFault] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status, self.title, self.faults, self.headers = status, title, faults, headers or {}
        super().__init__(title)


def parted(fault: SourceFault) -> Fault:
    """`line 3.content.modifier` as a line and a field."""
    found = LINE.fullmatch(fault.field)
    if found is None:
        return Fault(field=fault.field, message=fault.message)
    return Fault(line=int(found[1]), field=found[2], message=fault.message)


def problem(
    status: int, title: str, faults: Sequence[Fault] = (), *, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    said = Problem(status=status, title=title, faults=list(faults[:MOST])).model_dump(mode="json")
    return HttpResponse(encoded(said), status=status, content_type=TYPE, headers=dict(headers or {}))


def add_handlers(api: NinjaAPI) -> None:
    """Every refusal of the rooms below is answered in the one shape."""
    for refusal, handler in HANDLERS.items():
        api.add_exception_handler(refusal, handler)


def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return problem(error.status, error.title, [parted(fault) for fault in error.faults], headers=error.headers)


def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, str(error) or "Not found.")


def _unknown(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    said = "Send a valid token in the header Authorization: Bearer plx_… Create tokens at /tokens/."
    return problem(401, said, headers={"WWW-Authenticate": 'Bearer realm="Parallax"'})


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problem(422, "The request does not match this address.", [_field(one) for one in error.errors])


def _field(found: Mapping[str, Any]) -> Fault:
    """Where it is, without the name of the parameter that holds a body whole."""
    where = [str(part) for part in found["loc"]]
    return Fault(field=".".join(where[2:] if where[0] == "body" else where[1:]) or where[0], message=found["msg"])


def _other(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error.__cause__, Refused):
        return _refused(request, error.__cause__)
    return problem(error.status_code, str(error))


def _faulty(request: HttpRequest, error: SourceError | ScoreFileError) -> HttpResponse:
    count = len(error.faults)
    title = f"{count:,} {'problem' if count == 1 else 'problems'}; nothing was loaded."
    return problem(422, title, [parted(fault) for fault in error.faults[:MOST]])


def _misread(request: HttpRequest, error: ValueError) -> HttpResponse:
    return problem(422, str(error))


def _conflict(request: HttpRequest, error: ValueError) -> HttpResponse:
    return problem(409, str(error))


def _away(request: HttpRequest, error: OperationalError | InterfaceError) -> HttpResponse:
    if not is_away(error):
        raise error
    count("database_errors")
    said = "The database does not answer. Send the request again in a minute."
    return problem(503, said, headers={"Retry-After": str(RETRY_SECONDS)})


HANDLERS: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    Refused: _refused,
    Http404: _not_found,
    AuthenticationError: _unknown,
    ValidationError: _invalid,
    HttpError: _other,
    OperationalError: _away,
    InterfaceError: _away,
    SourceError: _faulty,
    ScoreFileError: _faulty,
    MapError: _misread,
    CannotRun: _misread,
    LoadRefused: _conflict,
    LabelsRefused: _conflict,
    ScoresRefused: _conflict,
}
