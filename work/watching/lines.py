"""The log, without the addresses and ids of persons: lines for people, or a JSON object a line with ids of the work."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_about: ContextVar[dict[str, object]] = ContextVar("about", default={})  # noqa: B039 it is never changed in place
# They say whole paths, which hold the tokens of sittings and shares.
SAY_PATHS = ("django.request", "django.security")
# What a task returns that found no row for its worker.
NOT_FOR_US = "not for this worker"


@contextmanager
def about(**ids: object) -> Iterator[None]:
    """Within, lines say these ids."""
    token = _about.set(_about.get() | ids)
    try:
        yield
    finally:
        _about.reset(token)


def _said(record: logging.LogRecord) -> str:
    """The message; of a request that was refused its status, and which address it was without what stood in it."""
    if not record.name.startswith(SAY_PATHS):
        return record.getMessage()
    match = getattr(getattr(record, "request", None), "resolver_match", None)
    return f"{getattr(record, 'status_code', 'refused')} {match.route if match else ''}".rstrip()


class DoneLines(logging.Filter):
    """Of Celery's lines on ended tasks, without those that had nothing to do: a worker without work has one a second
    while others' rows wait.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        said = getattr(record, "data", None)
        return not isinstance(said, dict) or said.get("return_value") != repr(NOT_FOR_US)


class TextLines(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 Python's own name
        # A line that somebody sends is no line of the log.
        record.message = _said(record).replace("\r", "\\r").replace("\n", "\\n")
        return super().formatMessage(record)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _said(record),
            **_about.get(),
            **getattr(record, "ids", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
