"""Texts that are numbers, as spreadsheets and word lists hold them."""

import math
import re

# How programs and people write, in whatever case, that nothing stands in a cell. The only list but ABBREVIATED.
# `.` is that of SAS, SPSS and Stata; `#nv`, `#n/d` and `#n/b` are Excel's #N/A in other languages.
NOTHING = frozenset((
    "", "na", "n/a", "#n/a", "<na>", "nan", "none", "null", "-", ".", "–", "—", "#nv", "#n/d", "#n/b",
))  # fmt: skip
# The same in this case alone: K.A. and N.A. are people.
ABBREVIATED = frozenset(("n.a.", "n. a.", "k.a.", "k. a.", "k.A.", "k. A."))
# What word lists write where they have no number.
NO_NUMBER = "not found"
# With a comma and three digits behind it, it may be a thousand.
NUMBER = re.compile(r"([+-]?)(0|[1-9][0-9]*)(?:\.([0-9]+)|,([0-9]{1,2}|[0-9]{4,}|(?<=\b0,)[0-9]{3}))?")


def decimal(text: str) -> float:
    """The number that a text is, with a point or a comma; NaN where it is no finite number, or could be two.

    >>> decimal("-1.5"), decimal(" 2e3 "), decimal("3,5"), decimal("-0,125")
    (-1.5, 2000.0, 3.5, -0.125)
    >>> decimal("high"), decimal("inf"), decimal("1_000"), decimal("1,000")
    (nan, nan, nan, nan)
    """
    try:
        number = float(plain_number(text))
    except ValueError:
        return math.nan
    return number if math.isfinite(number) and "_" not in text else math.nan


def is_absent(text: str) -> bool:
    """Whether a text says that there is no number."""
    return says_nothing(text) or text.strip() == NO_NUMBER


def says_nothing(text: str) -> bool:
    """Whether a cell, of whatever column but one of people, says that nothing stands there."""
    return text.strip() in ABBREVIATED or names_nobody(text)


def names_nobody(text: str) -> bool:
    """Whether a cell for a person's name is empty; initials such as K.A. are a name."""
    return text.strip().casefold() in NOTHING


def plain_number(text: str) -> str:
    """A number in one spelling; any other text as it is, and a number that could be two (`1,000`) too.

    >>> plain_number("3.0"), plain_number("1,50"), plain_number("\u22122"), plain_number("1,000"), plain_number("007")
    ('3', '1.5', '-2', '1,000', '007')
    """
    match = NUMBER.fullmatch(text.strip().replace("\u2212", "-"))
    if match is None:
        return text
    sign, whole, *parts = match.groups()
    part = next(filter(None, parts), "").rstrip("0")
    number = f"{whole}.{part}" if part else whole
    return f"-{number}" if sign == "-" and number != "0" else number
