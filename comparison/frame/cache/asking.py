"""Asking a worker for what would keep a reader waiting: figures, which a page asks for again, and files, once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from celery import current_app, shared_task
from kombu.exceptions import OperationalError

from comparison.frame.cache.computing import Computing
from work.errands import ask, errand
from work.queue import QueueSilent

SILENT = "The queue does not answer, so nothing is computed. Is the worker's server running?"

Given = ParamSpec("Given")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerTask:
    """What a worker does while a reader waits: declared where it is asked for, it decorates the function that does it.

    `is_errand`: it is done even where the queue was silent, and once; a page asks again for all else.
    """

    name: str
    is_errand: bool = False

    def __call__(self, do: Callable[Given, None]) -> Callable[Given, None]:
        registered: Callable[Given, None] = (errand(self.name) if self.is_errand else shared_task(name=self.name))(do)
        return registered


def start(computing: Computing, task: WorkerTask, *given: object) -> None:
    """Ask a worker, if nobody is at it."""
    if computing.begin():
        try:
            if task.is_errand:
                ask(task.name, *given)
            else:
                current_app.send_task(task.name, given)
        except OperationalError:
            computing.fail(SILENT)
        except QueueSilent as error:
            computing.fail(str(error))
