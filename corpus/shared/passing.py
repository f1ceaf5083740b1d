"""A pass over a corpus that machines share: its parts are asked for ahead, and what is found comes back in order.

Who asks is told by a `Board`: a process with Django has the rows themselves (scoring/corpus_passes/asking.py), and one
without speaks with the process that started it (corpus/shared/lent.py).
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from corpus.parts import Order, Sought, blocks_in, fields_as_json, parts
from corpus.shared.stores import Store
from corpus.sweep import STEP
from corpus.workplace import Finder, Workplace, bar

# Parts that are asked for before the first of them is read. It bounds the rows, and what workers still do for a pass
# that was killed, however large the corpus is; so many workers have something to do.
AHEAD = 64


class Board(Protocol):
    """Where parts are asked for, and given up again."""

    def ask(self, order: Order) -> None:
        """Have a worker do it."""
        ...

    def go_on(self, orders: Sequence[Order]) -> None:
        """Do something of what is waited for, or wait a moment. BuildError where the first of them has failed."""
        ...

    def forget(self, orders: Sequence[Order]) -> None:
        """Take back what no worker has begun: nobody will read it."""
        ...


def looked_for(finder: Finder, store: Store) -> Sought:
    """What workers are told of it, once they can read its fields in the store."""
    sought = Sought.by(finder)
    store.put(sought.given, fields_as_json(finder))
    return sought


def shared_pass(
    files: Sequence[tuple[Path, str]], finder: Finder, column: str, workplace: Workplace, *, store: Store, board: Board
) -> Iterator[Any]:
    """What the finder finds, block after block, in the order of the corpus: the same as without workers.

    BuildError where a part has failed.
    """
    asking, sought = _Asking(store, board), looked_for(finder, store)
    size = sum(path.stat().st_size for path, _ in files)
    with bar(STEP, size, unit="B", on_progress=workplace.told, scales=True) as update:
        try:
            for part in parts(files, field=column):
                asking.ask(Order(part, sought))
                if len(asking.asked) >= AHEAD:
                    yield from asking.first(update)
            while asking.asked:
                yield from asking.first(update)
        finally:
            board.forget(asking.asked)


@dataclass(slots=True)
class _Asking:
    """What was asked for and not read yet, in the order of the corpus."""

    store: Store
    board: Board
    asked: deque[Order] = field(default_factory=deque)

    def ask(self, order: Order) -> None:
        self.asked.append(order)
        if not self.store.has(order.name):
            self.board.ask(order)

    def first(self, update: Callable[[int], None]) -> Iterator[Any]:
        """What is found in the part that was asked for first, once it is there. BuildError where it has failed."""
        order = self.asked[0]
        while not self.store.has(order.name):
            self.board.go_on(self.asked)
        self.asked.popleft()
        with self.store.reading(order.name) as file:
            yield from blocks_in(file)
        update(order.part.read)
