"""The learning rate: up, level, and down at the end, where the end may be set while training is under way; and when it
is time: to stop, to save, to judge, to say a word.

A level rate with a short way down reaches about what a rate does that falls all along, and needs no total beforehand
(Hägele et al. 2024, arXiv:2405.18392); so a training can be told to stop by the clock. With a cool-down of all steps
the rate falls all along.

An interrupt or a polite kill is a question: may this training go on? A step that is under way must not be torn.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """`cools_from` and `steps` are step numbers, None as long as they are not known."""

    peak: float
    warm_up: int
    cools_from: int | None = None
    steps: int | None = None

    @classmethod
    def of_steps(cls, *, peak: float, warm_up: int, steps: int, cool_down: float) -> "Schedule":
        """A total that is known beforehand, of which the last share (at most what follows the warm-up) cools down."""
        return cls(peak, warm_up, max(min(warm_up, steps - 1), steps - round(cool_down * steps)), steps)

    def ended_after(self, step: int, *, seconds: float, minutes: float, cool_down: float) -> "Schedule":
        """The schedule with an end, once `step` steps took `seconds` and the last share of the `minutes` has come.

        The cool-down gets as many steps as the remaining time has room for, at the rate so far, but one at least.
        """
        if self.steps is not None or step < 1 or seconds < 60 * minutes * (1 - cool_down):
            return self
        remaining = max(0.0, 60 * minutes - seconds)
        return Schedule(self.peak, self.warm_up, step, step + max(1, round(remaining * step / seconds)))

    def rate(self, step: int) -> float:
        """The rate for that step, counted from 0: linear up over the warm-up, linear down to almost 0 at the end."""
        if self.steps is not None and step >= self.steps:
            return 0.0
        up = min(1.0, (step + 1) / self.warm_up)
        if self.steps is None or self.cools_from is None or step < self.cools_from:
            return self.peak * up
        down = (self.steps - step) / (self.steps - self.cools_from + 1)
        return self.peak * min(up, down)

    def cools(self, step: int) -> bool:
        return self.cools_from is not None and step >= self.cools_from


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
