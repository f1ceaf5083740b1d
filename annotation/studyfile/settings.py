"""What a value of study.toml must be, in words and as a test; and reading a table of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.platforms.contract import Recovery
from corpus.arguments import is_slug
from corpus.errors import Fault

# Of a value that is refused, so much is said again.
LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of a table: what it must be, in words and as a test, and its default (None: required)."""

    must_be: str
    holds: Callable[[Any], bool]
    default: Any = None


def whole(least: int, most: int = 32_767) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(text(one) for one in value)


def names(value: Any) -> bool:
    return texts(value) and len(set(value)) == len(value)


def text_within(most: int) -> Callable[[Any], bool]:
    return lambda value: text(value) and len(value) <= most


def attribute(value: Any) -> bool:
    return value == "" or text_within(200)(value)


def slug(value: Any) -> bool:
    return text(value) and is_slug(value)


def slugs(value: Any) -> bool:
    return isinstance(value, list) and all(slug(one) for one in value) and len(set(value)) == len(value)


def parameter_name(value: Any) -> bool:
    # Those who come by the link alone, from a label file or by simulation are told apart by these words.
    reserved = value in ("link", "imported", "synthetic")
    return text(value) and not reserved and bool(re.fullmatch(r"[A-Za-z0-9_]{1,60}", value))


def yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


def pattern(value: Any) -> bool:
    if value == "":
        return True
    try:
        return text_within(200)(value) and bool(re.compile(value))
    except re.error:
        return False


def ways_of_recovery(value: Any) -> bool:
    return isinstance(value, list) and all(way in list(Recovery) for way in value) and len(set(value)) == len(value)


def amount(value: Any) -> bool:
    # Text: a number of TOML would be a binary fraction, which money is not.
    return value == "" or (isinstance(value, str) and bool(re.fullmatch(r"\d{1,5}(\.\d{1,2})?", value, re.ASCII)))


def currency(value: Any) -> bool:
    return value == "" or (isinstance(value, str) and bool(re.fullmatch(r"[A-Z]{3}", value)))


def read_table(table: Mapping[str, Any], settings: Mapping[str, Setting]) -> tuple[dict[str, Any], list[Fault]]:
    """The values of a table with defaults filled in, and what is wrong with it."""
    faults = [
        Fault(name, f"is not known here; known are {', '.join(settings)}") for name in table if name not in settings
    ]
    values = {}
    for name, setting in settings.items():
        if name not in table and setting.default is None:
            faults.append(Fault(name, f"is missing; it must be {setting.must_be}"))
            continue
        values[name] = table.get(name, setting.default)
        if not setting.holds(values[name]):
            faults.append(Fault(name, f"must be {setting.must_be}, not {_short(values[name])}"))
    return values, faults


def _short(value: Any) -> str:
    """As it stands in Python; of a long text, how it begins."""
    said = repr(value)
    return said if len(said) <= LONGEST_SHOWN else f"{said[:LONGEST_SHOWN]}…"
