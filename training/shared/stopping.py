"""An interrupt or a polite kill as a question: may this training go on? A step that is under way must not be torn.

And when it is time again: to save, to judge, to say a word.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Every:
    """So many seconds, counted from when it was last begun."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        self._began = time.monotonic()

    def is_over(self) -> bool:
        return time.monotonic() - self._began >= self.seconds


@contextmanager
def stopped_by_signal() -> Iterator[Callable[[], bool]]:
    """While the block runs, Ctrl-C and SIGTERM only ask; what is yielded tells whether one has come."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda number, frame: received.append(number))
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
