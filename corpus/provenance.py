"""What identifies the things that a result was made from: files, JSON values, library versions."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Self

BYTES = 256


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


def wide_hash(text: str) -> int:
    """A text as a number of 2,048 bits, as `OrderedSum` adds them up."""
    return int.from_bytes(hashlib.shake_256(text.encode()).digest(BYTES))


@dataclass(frozen=True, slots=True)
class OrderedSum:
    """What identifies many lines, and is brought up to date by those alone that change: a sum of their hashes.

    Incremental hashing by addition (Bellare and Micciancio 1997, section 5, AdHash), at a width at which nobody finds
    two sets with one sum. A sum knows no order, so each line is to be hashed with what stands before it.
    """

    value: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """As `text` has written it; an empty text is the sum of nothing."""
        return cls(int(text or "0", 16))

    def changed(self, *, less: int = 0, more: int = 0) -> "OrderedSum":
        return OrderedSum((self.value - less + more) % 2 ** (8 * BYTES))

    @property
    def text(self) -> str:
        return f"{self.value:x}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.value.to_bytes(BYTES)).hexdigest()


def source_facts(path: Path) -> dict[str, str | int]:
    """What a manifest keeps of a file it was made from."""
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The installed version of each package."""
    return {name: version(name) for name in packages}
