"""A worker process's place, and what happens when a new process takes it."""

import logging
import socket
from collections.abc import Callable

from billiard.process import current_process
from celery.signals import celeryd_init, worker_process_init, worker_ready

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
