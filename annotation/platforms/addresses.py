"""Addresses back to a platform, as templates: `https://panel.example/end?code={code}&id={id}`."""

import re
from urllib.parse import quote, urlsplit

# What an address can carry: the platform's code for the outcome, the outcome's name, the platform's ids.
PLACEHOLDERS = ("code", "outcome", "id", "session")
LONGEST = 300

_PLACEHOLDER = re.compile(r"\{(" + "|".join(PLACEHOLDERS) + r")\}")
_ADDRESS = re.compile(r"https://[\x21-\x7e]+")


def is_address(value: object) -> bool:
    """Whether it can be a template: https, and no placeholder in the host, where an id would decide who is asked."""
    if not isinstance(value, str) or len(value) > LONGEST or not _ADDRESS.fullmatch(value):
        return False
    host = urlsplit(value).netloc
    return bool(host) and not re.search(r"[{}]", host + _PLACEHOLDER.sub("", value))


def tells_outcomes_apart(template: str) -> bool:
    """Whether one address can serve every outcome."""
    return {"code", "outcome"} & set(_PLACEHOLDER.findall(template)) != set()


def filled_in(template: str, values: dict[str, str]) -> str:
    """The address; empty where it asks for something that is not known."""
    if not all(values.get(name) for name in _PLACEHOLDER.findall(template)):
        return ""
    return _PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)
