"""Celery's side of scoring: load, call, record. Ids go in, nothing comes out."""

import logging
import socket

from billiard.process import current_process
from celery import shared_task
from celery.signals import celeryd_init, worker_process_init, worker_ready

from annotation.assignment import release_lapsed
from scoring import running
from scoring.running import QueueSilent
from scoring.training import starting
from scoring.training import working as training
from scoring.working import work

log = logging.getLogger(__name__)

# The worker's name, learnt before it forks, so that its processes know whose place they take.
_node = {"name": f"solo@{socket.gethostname()}"}
# Becomes true in the worker once it is up: a process that is forked later replaces one that died.
_up = {"ready": False}


def place() -> str:
    """The worker's name and this process's slot. A new process in a place means that the old one is gone."""
    return f"{_node['name']}/{getattr(current_process(), 'index', 0)}"


@shared_task(name="scoring.tasks.score_chunk")
def score_chunk(chunk_id: int) -> None:
    work(chunk_id, worker=place())


@shared_task(name="scoring.tasks.train")
def train(training_id: int) -> None:
    training.work(training_id, worker=place())


@shared_task(name="scoring.tasks.upkeep")
def upkeep() -> None:
    """What time brings about: lapsed sittings give their slots back, lost chunks and trainings go back to the queue."""
    release_lapsed()
    running.keep_moving()
    starting.keep_moving()


@celeryd_init.connect
def _learn_name(sender: str, **_: object) -> None:
    _node["name"] = sender


@worker_process_init.connect
def _take_place(**_: object) -> None:
    """Whatever the process before this one had claimed, it will not finish."""
    try:
        running.recover(worker=place(), crashed=_up["ready"])
        starting.recover(worker=place(), crashed=_up["ready"])
    except QueueSilent as error:
        log.warning("%s", error)


@worker_ready.connect
def _resend(**_: object) -> None:
    _up["ready"] = True
    try:
        running.resend()
        starting.resend()
    except QueueSilent as error:
        log.warning("%s", error)
