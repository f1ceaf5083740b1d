"""Errands: asked for, and done by the function that was registered under their name."""

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec

from django.db.models import Max

from work.kinds import GivenUp, Kind, register
from work.leases import LeasedQuerySet
from work.models import Errand
from work.queue import send
from work.queues import Queue

log = logging.getLogger(__name__)

Given = ParamSpec("Given")
# Tells the people who wait that the work was given up, and why. They are known by `waits`.
Tell = Callable[[list[Any], str], None]
ERRANDS: dict[str, Callable[..., None]] = {}
TELLING: dict[str, Tell] = {}


def errand(name: str, *, tell: Tell | None = None) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Registers what a worker does; it is told again from the beginning where its worker dies. Arguments are JSON.

    It reports its own errors; `tell` reports that it was given up.
    """

    def registered(do: Callable[Given, None]) -> Callable[Given, None]:
        ERRANDS[name] = do
        if tell is not None:
            TELLING[name] = tell
        return do

    return registered


def ask(name: str, *given: Any, study: int, is_large: bool, waits: Sequence[Any] = ()) -> None:
    """Have a worker do it, once; again if a worker has started on an earlier request. QueueSilent if the queue does
    not answer: the request is stored and done later.

    Studies take turns, and one of which nothing waits yet comes behind those that wait: however often it comes again,
    none waits for ever. What `is_large` waits only for what is, too. `waits` says which page waits for it.
    """
    fingerprint = hashlib.sha256(json.dumps([name, given]).encode()).hexdigest()
    on_queue = Errand.objects.filter(is_large=is_large)
    its_own = on_queue.filter(study=study, state=Errand.State.WAITING)
    turn = _last(its_own if its_own.exists() else on_queue)
    new = {"name": name, "given": list(given), "waits": list(waits), "study": study, "is_large": is_large, "turn": turn}
    row, _ = Errand.objects.get_or_create(fingerprint=fingerprint, defaults=new)
    send([row])


def whose_turn(queue: str) -> int | None:
    """Of the study that has waited longest for its turn; those of a study in the order of asking."""
    on_queue = Errand.objects.filter(is_large=queue == Queue.LARGE)
    first = on_queue.filter(state=Errand.State.WAITING).order_by("turn", "pk").only("pk", "study").first()
    if first is None:
        return None
    # What waits carries it on, since what is done is deleted.
    on_queue.filter(study=first.study).update(turn=_last(on_queue) + 1)
    return first.pk


def _last(rows: LeasedQuerySet[Errand]) -> int:
    return rows.aggregate(last=Max("turn"))["last"] or 0


def do(row: Errand) -> None:
    # A later request for the same may rest on newer data: it gets a row of its own.
    Errand.objects.held_as(row).update(fingerprint=f"held {row.pk}")
    ERRANDS[row.name](*row.given)
    end(row)


def end(row: Errand, error: Exception | None = None) -> None:
    """An errand reports its own errors; that it was given up is told here."""
    if error is not None:
        log.warning("%s: %s", row, error)
    if isinstance(error, GivenUp) and row.waits and row.name in TELLING:
        TELLING[row.name](row.waits, f"Stopped: it {error}.")
    Errand.objects.held_as(row).delete()


register(Kind(model=Errand, do=do, fail=end, in_turn=whose_turn))
