"""Where a long build works: the parts that it has finished, which are not made again, and how far it is, in words."""

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from tqdm import tqdm

from corpus.errors import BuildError

if TYPE_CHECKING:
    from corpus.parsing import Parser
    from corpus.texts import Text

# Hears what is being done, how much of it is done, of how much, and in which unit.
OnProgress = Callable[[str, int, int, str], None]
# So many lines are read between one word of how many there have been and the next.
TELLING = 5_000
One = TypeVar("One")


class Finished:
    """The blocks found so far, in order. The first line of the file says what was swept, for a reader's eyes.

    A last line that a kill has torn is cut off when the file is opened; the block is then done again.
    """

    def __init__(self, path: Path, about: dict[str, Any], *, afresh: bool = False) -> None:
        self.path = path
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            # The lock goes with the process, however it ends.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BuildError(f"Another build is writing {self.path}. Wait for it or stop it.") from None
        if afresh:
            self._file.truncate(0)
        whole, lines = 0, 0
        self._file.seek(0)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            lines += 1
        self._file.truncate(whole)
        if not lines:
            self._append(about)
        self.blocks = max(lines - 1, 0)

    def close(self) -> None:
        self._file.close()

    def add(self, findings: Any) -> None:
        """Keep the result of the next block, on disk before this returns."""
        self._append(findings)
        self.blocks += 1

    def __iter__(self) -> Iterator[Any]:
        """The results of the blocks that are there now, read one at a time."""
        with self.path.open("rb") as lines:
            next(lines)
            for _ in range(self.blocks):
                yield json.loads(next(lines))

    def _append(self, findings: Any) -> None:
        self._file.write(json.dumps(findings, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def no_progress(step: str, completed: int, of: int, unit: str) -> None:
    """Where nobody listens."""


def with_progress(
    lines: Iterable[One], step: str, *, of: int, on_progress: OnProgress, unit: str = "lines"
) -> Iterator[One]:
    """The lines, while `on_progress` is called with how many there have been."""
    for count, line in enumerate(lines, start=1):
        if count % TELLING == 0:
            on_progress(step, min(count, of), of, unit)
        yield line


class Finder(Protocol):
    """What is looked for in a corpus. A frozen dataclass of a module, so that it can be sent to other processes."""

    name: ClassVar[str]
    version: ClassVar[str]

    def settings(self) -> dict[str, Any]:
        """Everything that can change what is found, as JSON."""
        ...

    def find(self, texts: "Sequence[Text]", parser: "Parser") -> Any:
        """What these texts hold, as JSON. Must not depend on other texts or earlier calls."""
        ...


# A pass over files and their formats by workers, wherever they are: what is found, block after block, in the order of
# the corpus. The text is that field of them.
SharedPass = Callable[[Sequence[tuple[Path, str]], Finder, str, "Workplace"], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a long build works: what it has finished is kept in `folder`, so that a killed one goes on from there.

    `afresh` asks to forget what this very build has finished before; what others have stays. `models` is where the
    packaged language models lie. `told` hears how far it is. `shared` has, by the finder's name, who does
    its pass elsewhere.
    """

    folder: Path
    processes: int
    seed: int
    afresh: bool = False
    models: Path = Path("models")
    told: OnProgress = no_progress
    shared: Mapping[str, SharedPass] = field(default_factory=dict)


@contextmanager
def bar(
    step: str, of: int, *, unit: str, on_progress: OnProgress, completed: int = 0, scales: bool = False
) -> Iterator[Callable[[int], None]]:
    """A bar of the terminal that tells a listener the same: what it gives is called with how much more is done."""

    def update(more: int) -> None:
        nonlocal completed
        completed += more
        progress.update(more)
        on_progress(step, completed, of, unit)

    with tqdm(
        total=of, initial=completed, unit=unit, unit_scale=scales, desc=step, mininterval=1, disable=None
    ) as progress:
        on_progress(step, completed, of, unit)
        yield update
