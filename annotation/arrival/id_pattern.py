"""The pattern of a study's ids: a regular expression that a researcher writes, matched with the id in an address.

Python's `re` has no time limit: a common slip such as `([a-z]+)*` takes it hours on an id that does not match. The
module `regex` reads the same expressions and stops when it is told to. As it compiles, it writes out what is
counted, without a limit, and it takes `{e}` for "nearly": such patterns are refused.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

import regex

# Of no stubs. It reads a pattern and writes nothing out.
_parser: Any = import_module("re._parser")
LONGEST_ID = 120
# An honest pattern takes some microseconds.
MOST_SECONDS = 0.1
# Letters and classes, counted out: of ids of that length an honest pattern needs no more.
MOST_PARTS = 5_000
# A brace that counts nothing.
LOOSE = re.compile(r"\\.|(?P<loose>\{(?!\d+(,\d*)?\}|,\d+\}))", re.DOTALL)
NO_PATTERN = (re.error, regex.error, ValueError, RecursionError, OverflowError, MemoryError)
TRIED = ("0", "a", "A", "a1", "a-", "a.")


def fits(pattern: str, text: str) -> bool:
    """Whether the whole text is of the pattern; not where that cannot be told in time."""
    try:
        return _compiled(pattern).fullmatch(text, timeout=MOST_SECONDS) is not None
    except (TimeoutError, *NO_PATTERN):
        return False


def is_pattern(value: str) -> bool:
    """Whether it is a regular expression that is quickly told, tried on long ids that fit up to their last letter."""
    try:
        compiled = _compiled(value)
    except NO_PATTERN:
        return False
    own = {one for one in value if one.isalnum()}
    try:
        for start in (*TRIED, *sorted(own)[:10]):
            compiled.fullmatch((start * LONGEST_ID)[: LONGEST_ID - 1] + "!", timeout=MOST_SECONDS)
    except TimeoutError:
        return False
    return True


@lru_cache(maxsize=20)
def _compiled(pattern: str) -> Any:
    if any(found["loose"] for found in LOOSE.finditer(pattern)) or _parts(_parser.parse(pattern)) > MOST_PARTS:
        raise ValueError("It counts out more than ids have, or has a brace that counts nothing.")
    return regex.compile(pattern)


def _parts(parsed: Any) -> int:
    """How long it is when all that is counted is written out.

    >>> _parts(_parser.parse("[0-9a-f]{8}(-[0-9a-f]{4}){3}"))
    14
    """
    total = 0
    for op, of in parsed:
        counted = op in (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT)
        low, high = (of[0], of[1]) if counted else (1, 1)
        times = max(low, 1) if high == _parser.MAXREPEAT else max(high, 1)
        inside = sum(map(_parts, _within(of)))
        total += times * (inside or 1)
    return total


def _within(of: Any) -> Iterator[Any]:
    """The patterns inside one of the parser's."""
    if isinstance(of, _parser.SubPattern):
        yield of
    elif isinstance(of, (tuple, list)):
        for one in of:
            yield from _within(one)
