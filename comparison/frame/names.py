"""What annotators are called outside the house, and what an item starts from: apart from frames, which take pandas."""

from collections.abc import Mapping
from typing import Any


def annotator_name(annotator_id: int) -> str:
    """How an annotator is called outside the house: a number that says nothing about the platform's id."""
    return f"a{annotator_id}"


def source(content: Mapping[str, Any]) -> str:
    """The original of a changed sentence, the first of a pair, or the one sentence; empty for items without one."""
    name = next((name for name in ("original", "first", "sentence") if name in content), None)
    return "" if name is None else " ".join(str(content[name]).split()).casefold()
