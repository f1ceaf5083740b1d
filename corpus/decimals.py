"""Texts that are numbers, as spreadsheets and word lists hold them."""

import math

# What tables write where there is no number.
ABSENT = ("", "not found", "NA", "n/a", "-")


def decimal(text: str) -> float:
    """The number that a text is; NaN where it is no finite number.

    >>> decimal("-1.5"), decimal(" 2e3 "), decimal("high"), decimal("inf"), decimal("1_000")
    (-1.5, 2000.0, nan, nan, nan)
    """
    try:
        found = float(text)
    except ValueError:
        return math.nan
    return found if math.isfinite(found) and "_" not in text else math.nan


def is_absent(text: str) -> bool:
    """Whether a text says that there is no number."""
    return text.strip() in ABSENT
