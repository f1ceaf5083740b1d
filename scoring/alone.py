"""A folder that one process at a time works in."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = "lock"


class FolderInUse(ValueError):
    """Another process is at work in the folder. str() says in which."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep the folder, made if need be, to this process; FolderInUse if another has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as lock:
        try:
            # The lock goes with the process, however it ends.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(f"Another process is training in {folder}. Wait for it or stop it.") from None
        yield
