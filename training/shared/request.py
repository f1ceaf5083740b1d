"""Whether what is there was made of the same request: the same identity, which is all that decides the result."""

from collections.abc import Mapping
from typing import Any


def differing(there: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """`its settings and sources differ`; empty where they are the same request."""
    names = [name for name in asked if there.get(name) != asked[name]]
    return f"its {' and '.join(names)} differ" if names else ""
