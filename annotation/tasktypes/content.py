"""Checks of content that several task types share."""

from collections.abc import Iterable, Mapping
from typing import Any

from corpus.errors import Fault


def text_faults(content: Mapping[str, Any], *, required: Iterable[str], optional: Iterable[str] = ()) -> list[Fault]:
    """Missing, empty, non-text and unknown fields of an object whose values are texts."""
    required, optional = tuple(required), tuple(optional)
    faults = [Fault(name, "is missing") for name in required if name not in content]
    for name, value in content.items():
        if name not in required + optional:
            faults.append(Fault(name, f"is not known here; known are {', '.join(required + optional)}"))
        elif not isinstance(value, str):
            faults.append(Fault(name, f"must be text, not {type(value).__name__}"))
        elif not value.strip():
            faults.append(Fault(name, "is empty"))
    return faults
