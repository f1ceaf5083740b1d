"""What a format's module offers, and what it yields.

`recognized(source)` says whether the tool wrote it, by its head or by the names of its files. A function for each use
that the registry names yields its records.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from corpus.errors import Fault

# Scores by item, scores by text, labels of people, items of a new study.
Use = Literal["scores", "texts", "labels", "items"]

# The names under which a record says what an importer asks for. Whatever else the tool says stands beside them.
ITEM, TEXT, SCORE, LABEL, LOGPROB, OPTIONS = "item", "text", "score", "label", "logprob", "options"
ANNOTATOR, SECONDS, NOTE = "annotator", "seconds", "note"


@dataclass(frozen=True, slots=True)
class Record:
    """One row: where it stands in the file, as a fault names it, and what it says, as JSON."""

    where: str
    values: dict[str, Any]


# What is wrong is yielded in its place, so that all of it is listed.
Found = Iterable[Record | Fault]


def listed(value: object) -> list[Any]:
    """A JSON list, or none."""
    return value if isinstance(value, list) else []


def named(value: object) -> dict[str, Any]:
    """A JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def own_id(fields: dict[str, Any], otherwise: Any) -> Any:
    """The id that a researcher's own data give an item (`item`, else `id`), else the tool's number for it."""
    return next((fields[name] for name in (ITEM, "id") if isinstance(fields.get(name), str | int)), otherwise)


def only_value(values: Any) -> Any:
    """The one value of a list of one; anything else as it is."""
    return values[0] if isinstance(values, list) and len(values) == 1 else values
