"""Asking a worker for figures that would keep a reader waiting. Tasks go by their names: they know these rooms."""

from celery import current_app
from kombu.exceptions import OperationalError

from comparison.frame.kept.computing import Computing

COMPUTE, SUM_UP = "researcher.tasks.compute", "researcher.tasks.sum_up"
PLAN, EXPORT = "researcher.tasks.plan", "researcher.tasks.make_export"
DATASET, REPORT = "researcher.tasks.make_dataset", "researcher.tasks.make_report"
SILENT = "The queue does not answer, so nothing is computed. Is the worker's server running?"


def start(computing: Computing, task: str, *given: object) -> None:
    """Ask a worker, if nobody is at it."""
    if computing.begin():
        try:
            current_app.send_task(task, given)
        except OperationalError:
            computing.fail(SILENT)
