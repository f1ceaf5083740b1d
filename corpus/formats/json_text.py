"""JSON that nobody vouches for: bounded in depth, with no number that is none, and texts that a database can hold."""

import json
from collections.abc import Iterator
from typing import Any

from corpus.characters import unstorable_within
from corpus.errors import Fault
from corpus.formats.source import refused
from corpus.source_text import NotText, decoded


def parsed(data: bytes, *, where: str = "file") -> Any:
    """The value; FormatFault, naming `where`. NaN and infinities, which Python's tools write, are null."""
    return parsed_text(_text(data, where), where=where)


def parsed_text(text: str, *, where: str) -> Any:
    try:
        value = json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise refused(where, f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError):
        raise refused(where, "is not readable JSON: it is nested too deeply, or a number is too long") from None
    if wrong := unstorable_within(value):
        raise refused(where, wrong)
    return value


def lines(data: bytes, *, name: str = "") -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    """The objects of JSON lines, each with its place; what is none is a Fault there. `name` is that of a member."""
    before = f"{name}, " if name else ""
    for number, line in enumerate(_text(data, name or "file").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{before}line {number}"
        value = parsed_text(line, where=where)
        yield where, value if isinstance(value, dict) else Fault(where, "must be a JSON object")


def entries(data: bytes, *, word: str) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    """The objects of a JSON list, each with its place: `task 3`."""
    value = parsed(data)
    if not isinstance(value, list):
        raise refused("file", f"must be a JSON list of {word}s")
    for number, entry in enumerate(value, start=1):
        where = f"{word} {number}"
        yield where, entry if isinstance(entry, dict) else Fault(where, "must be a JSON object")


def first_object(data: bytes) -> dict[str, Any]:
    """The first object of JSON lines or of a JSON list, or the whole of a JSON object; empty where there is none."""
    text = data.decode(errors="replace").lstrip("\ufeff[ \t\r\n")
    if not text.startswith("{"):
        return {}
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(data: bytes, where: str) -> str:
    try:
        return decoded(data)
    except NotText as error:
        raise refused(f"{where}, line {error.line}" if where != "file" else f"line {error.line}", str(error)) from None
