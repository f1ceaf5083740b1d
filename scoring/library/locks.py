"""What one process at a time works on: a folder, which another is refused, and a place, for which another waits."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = "lock"


class FolderInUse(ValueError):
    """Another process is at work in the folder. str() says in which."""


@contextmanager
def exclusive_folder(folder: Path) -> Iterator[None]:
    """Keep the folder, made if need be, to this process; FolderInUse if another has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as lock:
        try:
            # The lock goes with the process, however it ends.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(f"Another process is working in {folder}. Wait for it or stop it.") from None
        yield


@contextmanager
def in_turn(lock: Path, *, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold that lock while the block runs. Where another process has it, `waiting` is told once, and then waited."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
