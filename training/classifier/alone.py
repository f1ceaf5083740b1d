"""One process at a time in a training's folder: one that was told to leave may still be writing there."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scoring.library.locks import FolderInUse, alone

RETRY_SECONDS = 0.5


@contextmanager
def alone_in(folder: Path, *, wanted: Callable[[], bool]) -> Iterator[bool]:
    """Hold the folder while the block runs, once nobody else does; False if `wanted` says no before that."""
    with ExitStack() as held:
        yield _held(held, folder, wanted)


def _held(held: ExitStack, folder: Path, wanted: Callable[[], bool]) -> bool:
    while wanted():
        try:
            held.enter_context(alone(folder))
        except FolderInUse:
            time.sleep(RETRY_SECONDS)
        else:
            return True
    return False
