"""A pass over a corpus that workers share: its parts are asked for ahead, and what is found comes back in order."""

import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.errors import BuildError
from corpus.parts import Order, Sought, blocks_in, given_to, parts
from corpus.provenance import digest
from corpus.stores import Store
from corpus.sweep import STEP
from corpus.workplace import Finder, SharedPass, Workplace, bar
from scoring.corpus_passes.part import FINDERS, CorpusPart
from scoring.corpus_passes.working import part_kind, store
from work.kinds import Kind
from work.leases import LeasedQuerySet
from work.queue import QueueSilent, send

log = logging.getLogger(__name__)

# Parts that are asked for before the first of them is read. It bounds the rows, and what workers still do for a pass
# that was killed, however large the corpus is; so many workers have something to do.
AHEAD = 64
LOOK_SECONDS = 0.5


def shared_passes() -> dict[str, SharedPass]:
    """By the finder's name, whose passes workers share; empty where no store is set."""
    return dict.fromkeys(FINDERS, shared_pass) if settings.CORPUS_STORE else {}


def shared_pass(files: Sequence[tuple[Path, str]], finder: Finder, column: str, workplace: Workplace) -> Iterator[Any]:
    """What the finder finds, block after block, in the order of the corpus: the same as without workers.

    This process does parts too while it waits, so that it needs no worker. BuildError where a part has failed.
    """
    name = f"asker@{socket.gethostname()}:{digest(str(workplace.folder.absolute()))[:16]}"
    asking = _Asking(store(), part_kind(lambda: workplace.processes), name)
    CorpusPart.objects.give_back(worker=name)
    sought = looked_for(finder)
    size = sum(path.stat().st_size for path, _ in files)
    with bar(STEP, size, unit="B", told=workplace.told, scales=True) as update:
        try:
            for part in parts(files, field=column):
                asking.ask(Order(part, sought))
                if len(asking.asked) >= AHEAD:
                    yield from asking.first(update)
            while asking.asked:
                yield from asking.first(update)
        finally:
            asking.forget()


@dataclass(slots=True)
class _Asking:
    """What was asked for and not read yet, in the order of the corpus."""

    store: Store
    kind: Kind[CorpusPart]
    # By which it holds parts: the same when the pass is begun again in its folder, so that it can give them back.
    name: str
    asked: deque[Order] = field(default_factory=deque)

    def ask(self, order: Order) -> None:
        self.asked.append(order)
        if not self.store.has(order.name):
            send_part(order)

    def first(self, update: Callable[[int], None]) -> Iterator[Any]:
        """What is found in the part that was asked for first, once it is there. BuildError where it has failed."""
        order = self.asked[0]
        while not self.store.has(order.name):
            self._go_on(order)
        self.asked.popleft()
        with self.store.reading(order.name) as file:
            yield from blocks_in(file)
        update(order.part.read)

    def forget(self) -> None:
        """Take back what no worker has begun: nobody will read it."""
        self._rows.waiting().delete()

    @property
    def _rows(self) -> LeasedQuerySet[CorpusPart]:
        return CorpusPart.objects.filter(name__in=[order.name for order in self.asked])

    def _go_on(self, order: Order) -> None:
        """Do something of what is waited for, or wait a moment."""
        row = CorpusPart.objects.filter(name=order.name).first()
        if row is not None and row.state == CorpusPart.State.FAILED:
            raise BuildError(row.error)
        self._rows.give_back()
        if waiting := self._rows.waiting().first():
            self.kind.work(waiting.pk, worker=self.name)
        elif row is None and not self.store.has(order.name):
            # Another pass had asked for it and has stopped, or what was found was erased.
            send_part(order)
        else:
            time.sleep(LOOK_SECONDS)


def looked_for(finder: Finder) -> Sought:
    """What workers are told of it, once they can read its fields in the store."""
    sought = Sought.by(finder)
    store().put(sought.given, given_to(finder))
    return sought


def send_part(order: Order) -> None:
    """Have a worker do it; again where that has failed."""
    row, is_new = CorpusPart.objects.get_or_create(name=order.name, defaults={"order": order.told()})
    if not is_new and row.state == CorpusPart.State.FAILED:
        CorpusPart.objects.filter(pk=row.pk, state=row.state).update(
            state=CorpusPart.State.WAITING, attempts=0, error="", order=order.told()
        )
        row.refresh_from_db()
    try:
        send([row])
    except QueueSilent as error:
        # It is done here, if nowhere else.
        log.warning("%s", error)
