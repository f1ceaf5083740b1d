"""A kind of work, and a worker's loop, one for all: claim a row, renew its lease, do it, write down what fails."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, NoReturn

from billiard.pool import soft_timeout_sighandler
from django.db import DatabaseError

from work.leases import Leased, LeaseLost, Row, renewed
from work.queue import send
from work.watching.counted import count
from work.watching.lines import about

# After so many crashes a row is given up.
MOST_ATTEMPTS = 3
# Between two looks at a queue on which only others' rows wait.
PAUSE_SECONDS = 1.0


class GivenUp(RuntimeError):
    """Nobody tries it again by itself. str() is what it did, without a subject."""


class WornOut(GivenUp):
    """The row has ended its worker as often as its kind allows."""


class TookTooLong(GivenUp):
    """The row has been held for as long as its kind allows."""


class OutOfTime(BaseException):
    """The row's time is up. No Exception, which a scorer or a library on the way would take for a fault of its own."""


class NotEnded(RuntimeError):
    """What was done with the row returned, and the row is still held: nothing says what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[Row]):
    """`do` is what a worker does with a row of `model` that it holds, which writes down its end by itself.

    `fail` writes down what kept it from that: one of the `refusals`, which are nobody's fault here, GivenUp, or any
    other exception, which is raised as well, for the log: NotEnded where `do` returned and the row is still held.

    A message says that a row waits. Where `in_turn` is given, which says whose turn it is on a queue, its worker takes
    that row instead: there are as many messages as rows, so that each is taken. Where nothing is for this worker,
    `of_others` gives a row that waits for another one, to which the message is left.
    """

    model: type[Row]
    do: Callable[[Row], None]
    fail: Callable[[Row, Exception], None]
    refusals: tuple[type[Exception], ...] = ()
    most_attempts: int = MOST_ATTEMPTS
    in_turn: Callable[[str], int | None] | None = None
    of_others: Callable[[str], Row | None] | None = None

    def __post_init__(self) -> None:
        missing = [
            name for name in ("WAITS", "HELD", "QUEUE", "NOUN", "NOUNS", "SINCE") if not hasattr(self.model, name)
        ]
        if missing:
            raise TypeError(f"{self.model.__name__} is to be work, and does not declare {', '.join(missing)}.")

    def work(self, pk: int, *, worker: str, queue: str = "") -> bool:
        """Do one row, if it still waits for someone: this one, or whose turn it is on the queue of its message.

        Doing it twice does it once. Whether there was one for this worker.
        """
        row = self._claim(pk, worker=worker, queue=queue)
        if row is None:
            self._leave_to_others(queue)
            return False
        self._do_claimed(row)
        return True

    def _do_claimed(self, row: Row) -> None:
        try:
            if row.attempts > self.most_attempts:
                raise WornOut(f"was cut off {self.most_attempts} times, by its worker’s crash or by the database")
            with renewed(row), limited(), about(**_ids(row)):
                self.do(row)
            if self.model.objects.held_as(row).exists():
                raise NotEnded("its worker returned without a result")
        except LeaseLost:
            # Whoever stopped it, or took it over, has written that down.
            return
        except OutOfTime:
            count("too_long")
            self._give_up(row, TookTooLong(f"took longer than {in_words(row.limit)}"))
        except DatabaseError:
            # Not the row's fault: it stays claimed, and goes back when the database that broke it off answers
            # (work/place.py), or when its lease runs out.
            raise
        except Exception as error:
            self._give_up(row, error)
            if isinstance(error, WornOut):
                count("worn_out")
            elif not isinstance(error, self.refusals):
                count("failures")
                raise

    def _claim(self, pk: int, *, worker: str, queue: str) -> Row | None:
        if self.in_turn is None or not queue:
            alone: Row | None = self.model.objects.claim(pk, worker=worker)
            return alone
        row: Row | None = None
        # Another worker may have been quicker, and then it is another's turn.
        while row is None and (found := self.in_turn(queue)) is not None:
            row = self.model.objects.claim(found, worker=worker)
        return row

    def _leave_to_others(self, queue: str) -> None:
        """The message goes back before this one is over, so that no row lacks its message, whatever dies here.

        The pause lets others come first, and keeps a worker that may take none of them from asking all the time.
        """
        row = self.of_others(queue) if self.of_others is not None and queue else None
        if row is not None:
            send([row])
            time.sleep(PAUSE_SECONDS)

    def _give_up(self, row: Row, error: Exception) -> None:
        with suppress(LeaseLost):
            self.fail(row, error)


def _ids(row: Leased) -> dict[str, object]:
    """What lines of the log say of it."""
    found = {"work": row._meta.label, "row": row.pk, "run": getattr(row, "run_id", None)}
    found["study"] = getattr(row, "study_id", None) or getattr(row, "study", None)
    return {name: value for name, value in found.items() if value is not None}


@contextmanager
def limited() -> Iterator[None]:
    """In a worker, Celery's soft limit raises OutOfTime."""
    if signal.getsignal(signal.SIGUSR1) is not soft_timeout_sighandler:
        yield
        return

    def end(*_: object) -> NoReturn:
        raise OutOfTime

    signal.signal(signal.SIGUSR1, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, soft_timeout_sighandler)


def in_words(limit: timedelta) -> str:
    hours, minutes = divmod(int(limit.total_seconds()) // 60, 60)
    return f"{hours} hour{'' if hours == 1 else 's'}" if hours else f"{minutes} minutes"


KINDS: dict[str, Kind[Any]] = {}


def register(*kinds: Kind[Any]) -> None:
    """Known to workers from now on; a room's `tasks.py` calls it."""
    KINDS.update({kind.model._meta.label: kind for kind in kinds})
