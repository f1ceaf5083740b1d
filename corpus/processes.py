"""Work for all cores whose results come back in the order of the work, whatever the number of processes."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from corpus.errors import BuildError

Piece = TypeVar("Piece")
Found = TypeVar("Found")
# Pieces read ahead for each process. It bounds the memory, however many pieces there are.
AHEAD = 3


def in_order(
    pieces: Iterable[Piece],
    work: Callable[[Piece], Found],
    *,
    processes: int,
    begin: Callable[..., None],
    arguments: tuple[Any, ...],
) -> Iterator[Found]:
    """`work` on every piece, in other processes, each of which has called `begin(*arguments)` first.

    BuildError if one of them is killed. Functions must be those of a module, so that they can be sent.
    """
    # Spawned, not forked: a fork would share the database's open file.
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin, arguments)
    )
    waiting: deque[Future[Found]] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise BuildError(
            "A process of this build was killed, perhaps for memory. Start it again; try --processes 1."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()
    begin(*arguments)


def _leave_with_the_parent() -> None:
    """A killed build must not leave processes behind that wait for work for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
