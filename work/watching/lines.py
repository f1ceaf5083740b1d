"""The log as one JSON object a line, with ids of request, study, run and task, and no address and no id of a person."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_about: ContextVar[dict[str, object]] = ContextVar("about", default={})  # noqa: B039 it is never changed in place
# They say whole paths, which hold the tokens of sittings and shares.
SAY_PATHS = ("django.request", "django.security")


@contextmanager
def about(**ids: object) -> Iterator[None]:
    """Within, lines say these ids."""
    token = _about.set(_about.get() | ids)
    try:
        yield
    finally:
        _about.reset(token)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        said = record.getMessage()
        if record.name.startswith(SAY_PATHS):
            said = str(getattr(record, "status_code", "refused"))
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": said,
            **_about.get(),
            **getattr(record, "ids", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
