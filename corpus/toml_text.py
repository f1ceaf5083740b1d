"""study.toml as text. The standard library reads TOML and does not write it."""

import json
import tomllib
from collections.abc import Mapping
from typing import Any


def toml_text(settings: Mapping[str, Any]) -> str:
    """A TOML document: plain values first, then one level of tables. Keys must be bare (letters, digits, _).

    Raises TypeError for a value that study.toml cannot hold.
    """
    plain = {name: value for name, value in settings.items() if not isinstance(value, Mapping)}
    tables = {name: value for name, value in settings.items() if isinstance(value, Mapping)}
    parts = ["\n".join(_line(name, value) for name, value in plain.items())]
    parts += [
        "\n".join([f"[{name}]", *(_line(key, value) for key, value in table.items())]) for name, table in tables.items()
    ]
    text = "\n\n".join(part for part in parts if part) + "\n"
    assert tomllib.loads(text) == settings, "what was written does not read back as the same"
    return text


def _line(name: str, value: object) -> str:
    return f"{name} = {_value(value)}"


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
    raise TypeError(f"study.toml cannot hold {type(value).__name__}")
