"""The rows of a shared pass: what a command asks of workers, and what it does itself meanwhile."""

import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.parts import Order
from corpus.provenance import digest
from corpus.shared import passing
from corpus.shared.lent import lacking
from corpus.shared.stores import LOOK_SECONDS, Store
from corpus.workplace import Finder, SharedPass, Workplace
from scoring.corpus_passes.part import FINDERS, CorpusPart
from scoring.corpus_passes.working import part_kind, store
from work.kinds import Kind


def shared_passes() -> dict[str, SharedPass]:
    """By the finder's name, whose passes workers share; empty where no store is set."""
    return dict.fromkeys(FINDERS, shared_pass) if settings.CORPUS_STORE else {}


def shared_pass(files: Sequence[tuple[Path, str]], finder: Finder, column: str, workplace: Workplace) -> Iterator[Any]:
    """This process does parts too while it waits, so that it needs no worker. BuildError where a part has failed."""
    name = f"asker@{socket.gethostname()}:{digest(str(workplace.folder.absolute()))[:16]}"
    board = _Rows(store(), part_kind(lambda: workplace.processes), name)
    CorpusPart.objects.give_back(worker=name)
    return passing.shared_pass(files, finder, column, workplace, store=board.store, board=board)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A board."""

    store: Store
    kind: Kind[CorpusPart]
    # By which it holds parts: the same when the pass is begun again in its folder, so that it can give them back.
    name: str

    def ask(self, order: Order) -> None:
        CorpusPart.objects.ask(order.name, order.told())

    def go_on(self, orders: Sequence[Order]) -> None:
        rows = CorpusPart.objects.named([order.name for order in orders])
        first = orders[0]
        is_there = CorpusPart.objects.require_not_failed(first.name)
        rows.give_back()
        if waiting := rows.waiting().first():
            self.kind.work(waiting.pk, worker=self.name)
        elif not is_there and not self.store.has(first.name):
            # Another pass had asked for them and has stopped, or what was found was erased.
            for order in lacking(orders, self.store):
                self.ask(order)
        else:
            time.sleep(LOOK_SECONDS)

    def forget(self, orders: Sequence[Order]) -> None:
        CorpusPart.objects.named([order.name for order in orders]).forget()
