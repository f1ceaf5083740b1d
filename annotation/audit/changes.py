"""What has become of a study's settings, in short: each path of study.toml with what it was and what it is."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.audit.acts import Fact
from corpus.provenance import digest

LONGEST = 60
# What an analyst does not see: codes, addresses of return, and the names of other studies.
KEPT_BACK = ("codes", "return", "collection.excludes", "collection.id_pattern")


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Fact]:
    """Between two states of `tables_of`, in the order of the alphabet. Longer texts by their length and hash."""
    was, now = dict(_flat(before)), dict(_flat(after))
    return {
        path: _in_short(path, was.get(path), now.get(path))
        for path in sorted(was.keys() | now.keys())
        if was.get(path) != now.get(path)
    }


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def _in_short(path: str, was: Any, now: Any) -> Fact:
    if path in KEPT_BACK or path.partition(".")[0] in KEPT_BACK:
        return "changed"
    return [_said(was), _said(now)]


def _said(value: Any) -> str | int:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    text = value if isinstance(value, str) else ", ".join(map(str, value)) if _is_plain(value) else None
    if text is not None and len(text) <= LONGEST and text.isprintable():
        return text or "empty"
    if text is not None:
        return f"text of {len(text):,} characters, sha256 {digest(value)[:8]}"
    return f"{len(value):,} entries, sha256 {digest(value)[:8]}" if hasattr(value, "__len__") else str(value)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, (str, int, float)) for one in value)
