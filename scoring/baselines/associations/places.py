"""Where stores lie, and what the finished ones say of themselves.

A store is a folder. Each finished state of it is a folder inside, named after the sha256 of its content, and never
changes: a reader that has opened one is not disturbed when files are added to the store.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from corpus.errors import BuildError
from scoring.baselines.associations.schema import COUNTED, VERSION

Read = TypeVar("Read")

COUNTS, VECTORS, MANIFEST, CURRENT = "counts.sqlite3", "vectors.safetensors", "store.json", "current.json"
# What a model's files call a state: all of its content, whichever files hold it.
CONTENT = "content"
# Enough of the hash to tell states apart in a folder's name.
SHORT = 16


class Damaged(BuildError):
    """What a store says of itself is not as it was written. str() says which file."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a finished state is. `files` has the sha256 of each of its files; `totals` what it holds of everything."""

    content: str
    files: dict[str, str]
    counted_with: dict[str, Any]
    sources: list[dict[str, Any]]
    totals: dict[str, int]

    @property
    def has_vectors(self) -> bool:
        return VECTORS in self.files

    @property
    def window(self) -> int:
        """How far to the right of a word another counted as near it; 0 where no such counts were taken."""
        return int(self.counted_with["window"])


def state_folder(store: Path, content: str) -> Path:
    """The folder of the state with that content, whether or not it is there."""
    return store / content[:SHORT]


def is_there(store: Path, content: str) -> bool:
    """Whether the store still has a finished state with that content."""
    return (state_folder(store, content) / MANIFEST).is_file()


def current(store: Path) -> Manifest | None:
    """The finished state of a store, or None if nothing was ever finished or it was removed. Damaged as below."""
    pointer = store / CURRENT
    if not pointer.exists():
        return None
    content = _read(pointer, dict[str, str])["content"]
    return read_manifest(state_folder(store, content)) if is_there(store, content) else None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a finished state; FileNotFoundError if there is none, Damaged if it is not as it was written."""
    return _read(folder / MANIFEST, Manifest)


def _read(path: Path, kind: Callable[..., Read]) -> Read:
    try:
        return kind(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise Damaged(f"{path} cannot be read: {error}. Remove it, and count all files of this store again.") from None


def content_hash(database: sqlite3.Connection) -> str:
    """sha256 of all that was counted, and of the files it was counted from, whatever their names and order."""
    hashed = hashlib.sha256()
    for line in _lines(database):
        hashed.update(line.encode())
        hashed.update(b"\n")
    return hashed.hexdigest()


def _lines(database: sqlite3.Connection) -> Iterator[str]:
    [counted_with] = database.execute("SELECT value FROM meta WHERE name = 'counted_with'").fetchone()
    yield from (VERSION, counted_with)
    for row in database.execute("SELECT sha256, format, field FROM sources ORDER BY sha256"):
        yield "\t".join(row)
    for name, columns in COUNTED.items():
        yield name
        order = ", ".join(columns)
        for *key, n in database.execute(f"SELECT {order}, n FROM {name} ORDER BY {order}"):  # noqa: S608 names of ours
            yield "\t".join([*key, str(n)])
