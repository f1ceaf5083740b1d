"""A worker process's place, and what happens when a new process takes it."""

import logging
import os
import socket
import threading
from collections.abc import Callable

from billiard.pool import EX_RECYCLE
from billiard.process import current_process
from celery.signals import celeryd_init, task_postrun, task_prerun, worker_process_init, worker_ready
from django.conf import settings

from work.queue import QueueSilent, recover, resend

log = logging.getLogger(__name__)

# The worker's name, learned before it forks, so that its processes know whose place they take.
_node = {"name": f"solo@{socket.gethostname()}"}
# Becomes true in the worker once it is up: a process that is forked later replaces one that died.
_up = {"ready": False}


def place() -> str:
    """The worker's name and this process's slot. A new process in a place means that the old one is gone."""
    return f"{_node['name']}/{getattr(current_process(), 'index', 0)}"


@worker_process_init.connect
def _take_place(**_: object) -> None:
    """What the process before this one had claimed goes back to the queue."""
    _or_log(lambda: recover(worker=place(), crashed=_up["ready"]))
    if settings.WORKER_IDLE_MINUTES:
        task_prerun.connect(_be_busy)
        task_postrun.connect(_be_idle)


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


def _or_log(send: Callable[[], object]) -> None:
    try:
        send()
    except QueueSilent as error:
        log.warning("%s", error)


@celeryd_init.connect
def _learn_name(sender: str, **_: object) -> None:
    _node["name"] = sender
