"""Where a long build works, and how far it is: a bar at a terminal, and words for whoever else listens."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from tqdm import tqdm

# Hears what is being done, how much of it is done, of how much, and in which unit.
Told = Callable[[str, int, int, str], None]


# So many lines are read between one word of how many there have been and the next.
TELLING = 5_000
One = TypeVar("One")


def nobody(step: str, done: int, of: int, unit: str) -> None:
    """Where nobody listens."""


def counted(lines: Iterable[One], step: str, *, of: int, told: Told, unit: str = "lines") -> Iterator[One]:
    """The same, and somebody hears how many of them there have been."""
    for count, line in enumerate(lines, start=1):
        if count % TELLING == 0:
            told(step, min(count, of), of, unit)
        yield line


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a long build works: what it has finished is kept in `folder`, so that a killed one goes on from there.

    `afresh` asks to forget what this very build has finished before; what others have stays. `models` is where the
    packaged language models lie. `told` hears how far it is.
    """

    folder: Path
    processes: int
    seed: int
    afresh: bool = False
    models: Path = Path("models")
    told: Told = nobody


class Bar:
    """A bar of the terminal that tells a listener the same."""

    def __init__(self, step: str, of: int, *, unit: str, told: Told, done: int = 0, scales: bool = False) -> None:
        self._told, self._step, self._of, self._unit, self._done = told, step, of, unit, done
        self._bar: tqdm[Any] = tqdm(
            total=of, initial=done, unit=unit, unit_scale=scales, desc=step, mininterval=1, disable=None
        )

    def __enter__(self) -> Self:
        self._told(self._step, self._done, self._of, self._unit)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def update(self, more: int = 1) -> None:
        self._done += more
        self._bar.update(more)
        self._told(self._step, self._done, self._of, self._unit)
