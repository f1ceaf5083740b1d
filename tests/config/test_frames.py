"""A call at the end of a chunk of frames does not ask the system for memory, at any depth."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from resource import RUSAGE_THREAD, getrusage

import pytest

from config.frames import with_room

CALLS, DEPTHS = 200, 200


def nothing() -> None:
    pass


def faults(call: Callable[[int], None]) -> int:
    """Of memory, at the depth at which most come."""

    def at(depth: int) -> int:
        if depth:
            return at(depth - 1)
        before = getrusage(RUSAGE_THREAD).ru_minflt
        call(CALLS)
        return getrusage(RUSAGE_THREAD).ru_minflt - before

    return max(at(depth) for depth in range(DEPTHS))


def many(calls: int) -> None:
    for _ in range(calls):
        nothing()


def test_calls_ask_for_no_memory():
    # A thread of its own begins with chunks of its own.
    with ThreadPoolExecutor(1) as pool:
        if pool.submit(faults, many).result() < CALLS:
            pytest.skip("This Python keeps an empty chunk.")
        assert pool.submit(with_room(faults), many).result() < CALLS / 10
