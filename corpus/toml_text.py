"""study.toml as text: read within bounds, and written. The standard library reads TOML and does not write it."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from corpus.bounds import MOST_DEPTH, MOST_KEY_PARTS, MOST_TOML

# What a text of TOML is made of, as far as brackets and dots go: texts and comments, in which they say nothing; else
# one character. A text that does not end goes on to its line's end, or to the file's: tomllib stops there.
TOKEN = re.compile(
    r"""
    "{3}(?:[^"\\]|\\.|"(?!""))*+"{0,5} | '{3}(?:[^']|'(?!''))*+'{0,5}
    | "(?:[^"\\\n]|\\[^\n])*+"? | '[^'\n]*+'?
    | \#[^\n]* | [\[\]{}.=,\n]
    """,
    re.DOTALL | re.VERBOSE,
)


class NotToml(ValueError):
    """A text that is no TOML, or more of it than any study has. str() says why, as the end of a sentence."""


def read_toml(text: str) -> dict[str, Any]:
    """What the text says. The raw text is held to the bounds first: reading costs memory in the square of some."""
    if len(text) > MOST_TOML:
        raise NotToml(f"has {len(text):,} characters; the limit is {MOST_TOML:,}")
    _refuse_shape(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(f"is not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise NotToml("is not readable TOML: a number or a date is out of range") from None


def _refuse_shape(text: str) -> None:
    """Refuse brackets in brackets, and keys of many parts."""
    depth = parts = 0
    for token in TOKEN.finditer(text):
        match token[0]:
            case "[" | "{":
                depth, parts = depth + 1, 1
            case "]" | "}":
                depth, parts = max(depth - 1, 0), 1
            case "=" | "," | "\n":
                parts = 1
            case ".":
                parts += 1
        if depth > MOST_DEPTH or parts > MOST_KEY_PARTS:
            line = text.count("\n", 0, token.start()) + 1
            wrong = "brackets nested" if depth > MOST_DEPTH else "a key of"
            most = f"{MOST_DEPTH} levels deep" if depth > MOST_DEPTH else f"{MOST_KEY_PARTS} parts (a.b.c)"
            raise NotToml(f"has {wrong} more than {most} on line {line}")


def toml_text(settings: Mapping[str, Any], *, by_lines: bool = False) -> str:
    """A TOML document: plain values first, then one level of tables, each with its lists of tables behind it.

    Keys must be bare (letters, digits, _). `by_lines` writes a text of several lines as several lines. Raises TypeError
    for a value that study.toml cannot hold.
    """
    plain = {name: value for name, value in settings.items() if not isinstance(value, Mapping)}
    parts = [_lines(plain, by_lines=by_lines)]
    for name, table in settings.items():
        if isinstance(table, Mapping):
            parts += _table(name, table, by_lines=by_lines)
    text = "\n\n".join(part for part in parts if part) + "\n"
    assert tomllib.loads(text) == settings, "what was written does not read back as the same"
    return text


def _table(name: str, table: Mapping[str, Any], *, by_lines: bool) -> list[str]:
    listed = {key: value for key, value in table.items() if _is_of_tables(value)}
    own = {key: value for key, value in table.items() if key not in listed}
    # A list of tables brings its table along.
    head = [f"[{name}]\n{_lines(own, by_lines=by_lines)}".rstrip()] if own or not listed else []
    rows = [(key, row) for key, value in listed.items() for row in value]
    return head + [f"[[{name}.{key}]]\n{_lines(row, by_lines=by_lines)}" for key, row in rows]


def _is_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _lines(values: Mapping[str, Any], *, by_lines: bool) -> str:
    return "\n".join(f"{name} = {_text(value) if by_lines else _value(value)}" for name, value in values.items())


def _text(value: object) -> str:
    """A text of several lines between three quotation marks each; the line break behind the first is not its own."""
    if not isinstance(value, str) or "\n" not in value:
        return _value(value)
    lines = (_value(line)[1:-1] for line in value.split("\n"))
    return '"""\n' + "\n".join(lines) + '"""'


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            # A JSON string is a TOML basic string, but for the one control character that JSON leaves as it is.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return "[" + ", ".join(_value(one) for one in value) + "]"
    raise TypeError(f"study.toml cannot contain {type(value).__name__}")
