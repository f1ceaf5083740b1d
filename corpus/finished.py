"""What a sweep has finished, on disk: one JSON line a block, so that a killed sweep goes on where it was."""

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from corpus.errors import BuildError


class Finished:
    """The blocks found so far, in order. The first line of the file says what was swept, for a reader's eyes.

    A last line that a kill has torn is cut off when the file is opened; the block is then done again.
    """

    def __init__(self, path: Path, about: dict[str, Any], *, afresh: bool = False) -> None:
        self.path = path
        self._afresh = afresh
        self._about = json.dumps(about, ensure_ascii=False) + "\n"
        self.blocks = 0

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            # The lock goes with the process, however it ends.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BuildError(f"Another build is writing {self.path}. Wait for it or stop it.") from None
        if self._afresh:
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
            self._append(self._about)
        self.blocks = max(lines - 1, 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, found: Any) -> None:
        """Keep the result of the next block, on disk before this returns."""
        self._append(json.dumps(found, ensure_ascii=False) + "\n")
        self.blocks += 1

    def __iter__(self) -> Iterator[Any]:
        """The results of the blocks that are there now, read one at a time."""
        with self.path.open("rb") as lines:
            next(lines)
            for _ in range(self.blocks):
                yield json.loads(next(lines))

    def _append(self, line: str) -> None:
        self._file.write(line.encode())
        self._file.flush()
        os.fsync(self._file.fileno())
