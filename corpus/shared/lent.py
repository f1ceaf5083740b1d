"""A shared pass in a process without Django: it says on its output what it waits for, and is answered on its input.

The process that started it has the rows, and answers with the name of a part to do here, or that there is none
(`Lender` in scoring/corpus_passes/lending.py).
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.shared.stores import LOOK_SECONDS, Store
from corpus.workplace import Finder, SharedPass, Workplace

if TYPE_CHECKING:
    from corpus.parts import Order


class Said(StrEnum):
    """What it says: a part for workers; that it waits for parts; that it has found one; that it wants no more."""

    ASKS = "asks"
    WAITS = "waits"
    HAS = "has"
    FORGETS = "forgets"


# The answer where the first part that it waits for is neither asked for nor in the store.
GONE = "gone"


@dataclass(frozen=True, slots=True)
class Lent:
    """Shared passes of these finders. `say` tells the starter something, and `answer` waits for its answer."""

    finders: Sequence[str]
    store: str
    say: Callable[[Mapping[str, Any]], None]
    answer: Callable[[], str]

    def passes(self) -> dict[str, SharedPass]:
        return dict.fromkeys(self.finders, self._passed)

    def _passed(self, files: Any, finder: Finder, column: str, workplace: Workplace) -> Any:
        # Here, because it loads spaCy, which a starter that reads what is said does not need.
        from corpus.shared.passing import shared_pass

        board = _Board(self, Store(self.store), finder, workplace)
        return shared_pass(files, finder, column, workplace, store=board.store, board=board)


def lacking(orders: "Sequence[Order]", store: Store) -> "Iterator[Order]":
    """Those of which nothing is found yet."""
    return (order for order in orders if not store.has(order.name))


@dataclass(frozen=True, slots=True)
class _Board:
    lent: Lent
    store: Store
    finder: Finder
    workplace: Workplace

    def ask(self, order: "Order") -> None:
        self.lent.say({Said.ASKS: [order.name, order.told()]})

    def go_on(self, orders: "Sequence[Order]") -> None:
        self.lent.say({Said.WAITS: [order.name for order in orders]})
        match self.lent.answer():
            case "":
                time.sleep(LOOK_SECONDS)
            case name if name == GONE:
                # Another pass had asked for them all and has stopped.
                for order in lacking(orders, self.store):
                    self.ask(order)
            case name:
                self._do(next(order for order in orders if order.name == name))

    def forget(self, orders: "Sequence[Order]") -> None:
        self.lent.say({Said.FORGETS: [order.name for order in orders]})

    def _do(self, order: "Order") -> None:
        from corpus.parts import find

        self.workplace.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.workplace.folder) as folder:
            output = Path(folder) / "found"
            find(order, self.finder, output, processes=self.workplace.processes)
            self.store.put(order.name, output)
        self.lent.say({Said.HAS: order.name})
