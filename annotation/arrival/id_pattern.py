"""The pattern of a study's ids: a regular expression of a researcher's, held against what a stranger's address says.

Python's own engine has no limit on time, and a slip as usual as `([a-z]+)*` takes it hours for an id that does not fit.
The module `regex` reads the same expressions and stops when it is told to.
"""

import re
from functools import lru_cache
from typing import Any

import regex

LONGEST_ID = 120
# An honest pattern takes some microseconds.
MOST_SECONDS = 0.1
TRIED = ("0", "a", "A", "a1", "a-", "a.")


def fits(pattern: str, text: str) -> bool:
    """Whether the whole text is of the pattern; not where that cannot be told in time."""
    try:
        return _compiled(pattern).fullmatch(text, timeout=MOST_SECONDS) is not None
    except TimeoutError:
        return False


def is_pattern(value: str) -> bool:
    """Whether it is a regular expression that is quickly told, tried on long ids that fit up to their last letter."""
    try:
        re.compile(value)
        compiled = _compiled(value)
    except (re.error, regex.error, RecursionError, OverflowError, MemoryError):
        return False
    own = {one for one in value if one.isalnum()}
    try:
        for start in (*TRIED, *sorted(own)[:10]):
            compiled.fullmatch((start * LONGEST_ID)[: LONGEST_ID - 1] + "!", timeout=MOST_SECONDS)
    except TimeoutError:
        return False
    return True


@lru_cache(maxsize=200)
def _compiled(pattern: str) -> Any:
    return regex.compile(pattern)
