"""What several machines share: files in a folder, or in an object store, at an address that fsspec reads."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import fsspec

from corpus.errors import BuildError, in_short, without_secrets

# So often, who waits for a file looks whether it is there.
LOOK_SECONDS = 0.5


class StoreAway(BuildError):
    """The store cannot be reached, or a file of it cannot be read. str() says which, and why."""


@dataclass(frozen=True, slots=True)
class Store:
    """Files by name, each there whole or not at all. StoreAway from each verb."""

    address: str

    def has(self, name: str) -> bool:
        with self._reached("read") as (system, root):
            return bool(system.exists(f"{root}/{name}"))

    def put(self, name: str, content: Path | bytes) -> None:
        with self._reached("written") as (system, root):
            put_whole(system, f"{root}/{name}", content)

    @contextmanager
    def reading(self, name: str) -> Iterator[IO[bytes]]:
        with self._reached(f"read: {name}") as (system, root), system.open(f"{root}/{name}", "rb") as file:
            yield file

    @contextmanager
    def _reached(self, action: str) -> Iterator[tuple[Any, str]]:
        """Each kind of store has exceptions of its own: S3's are no OSError."""
        try:
            system, root = fsspec.core.url_to_fs(self.address)
            yield system, root.rstrip("/")
        except Exception as error:
            message = f"{self.address} cannot be {action} ({in_short(error)})."
            raise StoreAway(without_secrets(message, of=self.address)) from error


def put_whole(system: Any, target: str, content: Path | bytes) -> None:
    """The file, whole or not at all: two may write it at once, and each may be killed."""
    parent, _, name = target.rpartition("/")
    system.makedirs(parent, exist_ok=True)
    part = f"{parent}/.{name}.{uuid.uuid4().hex}.part"
    try:
        if isinstance(content, bytes):
            system.pipe_file(part, content)
        else:
            system.put_file(str(content), part)
        system.mv(part, target)
    except BaseException:
        with suppress(Exception):
            system.rm_file(part)
        raise
