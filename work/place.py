"""A worker process's place, and what happens when a new process takes it."""

import logging
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from billiard.pool import EX_RECYCLE
from billiard.process import current_process
from celery.signals import celeryd_init, task_failure, task_postrun, task_prerun, worker_process_init, worker_ready
from django.conf import settings
from django.db import DatabaseError, connections

from work.queue import QueueSilent, recover, resend
from work.watching.health import breaks_off

log = logging.getLogger(__name__)

# The worker's name, learned before it forks, so that its processes know whose place they take.
_node = {"name": f"solo@{socket.gethostname()}"}
# Becomes true in the worker once it is up: a process that is forked later replaces one that died.
_up = {"ready": False}


def place() -> str:
    """The worker's name and this process's slot. A new process in a place means that the old one is gone."""
    return f"{_node['name']}/{getattr(current_process(), 'index', 0)}"


# Whether what this place held before is given back, and whether its process crashed; one at a time sees to it.
_place = {"taken": True, "crashed": False}
_taking = threading.Lock()
RETRY_SECONDS = 2.0
# By message, how often the database has broken off its work; after so many it may be the work that ends the database.
_broken = Counter[tuple[Hashable, ...]]()
MOST_BROKEN = 3


@worker_process_init.connect
def _take_place(**_: object) -> None:
    """What the process before this one had claimed goes back to the queue."""
    # Of the process that forked this one, where it is in use or dead: to close it would close it there.
    for inherited in connections.all(initialized_only=True):
        inherited.connection = None
    task_prerun.connect(_take_first)
    task_failure.connect(_lose_place)
    _take(crashed=_up["ready"])
    if settings.WORKER_IDLE_MINUTES:
        task_prerun.connect(_be_busy)
        task_postrun.connect(_be_idle)


def _take(*, crashed: bool) -> None:
    """At once, or as soon as the database answers."""
    _place.update(taken=False, crashed=crashed)
    if not _has_taken():
        threading.Thread(target=_take_later, name="place", daemon=True).start()


def _has_taken() -> bool:
    with _taking:
        if not _place["taken"]:
            try:
                _or_log(lambda: recover(worker=place(), crashed=_place["crashed"]))
            except DatabaseError as error:
                log.warning("What %s held is given back when the database answers: %s", place(), error)
                connections.close_all()
                return False
            _place["taken"] = True
    return True


def _take_later() -> None:
    while not _has_taken():
        time.sleep(RETRY_SECONDS)
    connections.close_all()


def _take_first(**_: object) -> None:
    """Before this process claims anything itself, which would be given back as well."""
    while not _has_taken():
        time.sleep(RETRY_SECONDS)


def _lose_place(exception: BaseException | None = None, args: Sequence[Hashable] = (), **_: object) -> None:
    """A row whose work the database broke off is still held: it is no fault of the row's, and not worth a lease.

    What the database refuses would be refused at once again: such a row waits for its lease, and the attempt counts.
    """
    if breaks_off(exception):
        _broken[*args] += 1
        connections.close_all()
        _take(crashed=_broken[*args] > MOST_BROKEN)


# Ends this process: a model and its libraries hold a gigabyte, which the process that replaces it does not.
_end = {"timer": threading.Timer(0, os._exit)}


def _be_busy(**_: object) -> None:
    _end["timer"].cancel()


def _be_idle(**_: object) -> None:
    """A message that comes in just that moment is lost with the process, and upkeep sends it again."""
    _end["timer"] = threading.Timer(60 * settings.WORKER_IDLE_MINUTES, os._exit, [EX_RECYCLE])
    _end["timer"].daemon = True
    _end["timer"].start()


@worker_ready.connect
def _be_ready(**_: object) -> None:
    _up["ready"] = True
    _or_log(resend)
    # Nothing for processes that are forked later to inherit.
    connections.close_all()


def _or_log(send: Callable[[], object]) -> None:
    try:
        send()
    except QueueSilent as error:
        log.warning("%s", error)


@celeryd_init.connect
def _learn_name(sender: str, **_: object) -> None:
    _node["name"] = sender
