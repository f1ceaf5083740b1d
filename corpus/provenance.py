"""What identifies the things that a result was made from: files, JSON values, library versions."""

import hashlib
import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path


def sha256(path: Path) -> str:
    """The hex sha256 of a file, read in pieces."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def digest(value: object) -> str:
    """The hex sha256 of a JSON value, whatever the order of its keys.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def source_facts(path: Path) -> dict[str, str | int]:
    """What a manifest keeps of a file it was made from."""
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The installed version of each package."""
    return {name: version(name) for name in packages}
