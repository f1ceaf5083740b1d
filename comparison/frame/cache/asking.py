"""Asking a worker for what would keep a reader waiting: figures, which a page asks for again, and files, once."""

from celery import current_app
from kombu.exceptions import OperationalError

from comparison.frame.cache.computing import Computing
from work.errands import ask
from work.queue import QueueSilent

COMPUTE, SUM_UP, PLAN = "comparison.tasks.compute", "researcher.tasks.sum_up", "researcher.tasks.plan"
FILES = EXPORT, DATASET, REPORT = "export", "data set", "report"
SILENT = "The queue does not answer, so nothing is computed. Is the worker's server running?"


def start(computing: Computing, what: str, *given: object) -> None:
    """Ask a worker, if nobody is at it."""
    if computing.begin():
        try:
            if what in FILES:
                ask(what, *given)
            else:
                current_app.send_task(what, given)
        except OperationalError:
            computing.fail(SILENT)
        except QueueSilent as error:
            computing.fail(str(error))
