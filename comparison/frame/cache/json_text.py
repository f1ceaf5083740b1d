"""Frozen dataclasses as JSON text and back, exactly: floats keep every bit, and nothing in a text can run.

The shape that is read is the type that was written: a text of another shape is refused with ValueError.
"""

import json
from datetime import date
from typing import Any, TypeVar

import numpy as np
from pydantic import TypeAdapter

T = TypeVar("T")


def to_text(shape: TypeAdapter[T], value: T) -> str:
    # json writes the shortest digits that give the same float, and ∞ as a word of its own.
    return json.dumps(shape.dump_python(value, warnings="none"), default=_plain, separators=(",", ":"))


def from_text(shape: TypeAdapter[T], text: str) -> T:
    return shape.validate_python(json.loads(text))


def _plain(found: Any) -> Any:
    """numpy's numbers as Python's, and days and moments as text that is read back as one."""
    if isinstance(found, date):
        return found.isoformat()
    if isinstance(found, np.generic):
        return found.item()
    raise TypeError(f"{type(found).__name__} has no place in JSON text")
