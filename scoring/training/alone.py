"""One process at a time in a training's folder: one that was told to leave may still be writing there."""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = ".lock"
RETRY_SECONDS = 0.5


@contextmanager
def alone_in(folder: Path, *, wanted: Callable[[], bool]) -> Iterator[bool]:
    """Hold the folder while the block runs, once nobody else does; False if `wanted` says no before that.

    The lock is the process's, so that one that was killed holds nothing.
    """
    while wanted():
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(RETRY_SECONDS)
                continue
            yield True
            return
    yield False
