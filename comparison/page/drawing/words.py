"""The words in a specification, all of them: what is asked of each is asked of those in lists and data, too."""

import re
from collections.abc import Callable
from typing import Any

# All that XML has no place for, such as most control characters; a name from a file may hold one.
UNWRITABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def each_word(found: Any, change: Callable[[str], str]) -> Any:
    """The same with every text changed, names of fields excepted."""
    if isinstance(found, dict):
        return {name: each_word(value, change) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [each_word(value, change) for value in found]
    return change(found) if isinstance(found, str) else found


def writable(text: str) -> str:
    """Text that can be drawn: over any other, vl-convert ends the process that it is in."""
    return UNWRITABLE.sub("\ufffd", text)
