"""JSON lines, read so that every fault has its line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from corpus.characters import unstorable_within
from corpus.errors import Fault


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line that is not blank: the object it holds, or what is wrong with it."""

    number: int
    value: dict[str, Any]
    fault: Fault | None = None

    @classmethod
    def holding(cls, number: int, value: dict[str, Any]) -> Self:
        """The line that holds this object, with a fault where a text in it cannot be stored."""
        wrong = unstorable_within(value)
        return cls(number, value, Fault(f"line {number}", wrong) if wrong else None)

    @property
    def where(self) -> str:
        return f"line {self.number}"


def json_lines(text: str) -> Iterator[JsonLine]:
    """The objects of a JSON-lines text, with their line numbers from 1."""
    # Not splitlines(): a text may hold a Unicode line separator inside its quotes.
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            # A file that ends in a line break has an empty string after it.
            yield _parsed(number, line, last=number == len(lines))


def _parsed(number: int, line: str, *, last: bool) -> JsonLine:
    where = f"line {number}"
    try:
        value = json.loads(line, object_pairs_hook=_without_repeats, parse_constant=_refused_constant)
    except json.JSONDecodeError as error:
        cut_off = last and not line.rstrip().endswith("}")
        wrong = "the file is cut off here" if cut_off else f"is not JSON: {error.msg} at column {error.colno}"
        return JsonLine(number, {}, Fault(where, wrong))
    except (ValueError, RecursionError) as error:
        return JsonLine(number, {}, Fault(where, f"is not JSON that can be read: {error}"))
    if not isinstance(value, dict):
        return JsonLine(number, {}, Fault(where, f"must be a JSON object, not {type(value).__name__}"))
    # Only an escape brings a character into JSON that UTF-8 text cannot hold, or NUL.
    return JsonLine.holding(number, value) if "\\u" in line else JsonLine(number, value)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    names = [name for name, _ in pairs]
    repeated = sorted({name for name in names if names.count(name) > 1})
    raise ValueError(f"{', '.join(repeated)} is given twice")


def _refused_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")
