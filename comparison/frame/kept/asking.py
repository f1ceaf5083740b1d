"""Asking a worker for figures that would keep a reader waiting."""

from celery import current_app
from kombu.exceptions import OperationalError

from comparison.frame.kept.computing import Computing

COMPUTE, SUM_UP = "comparison.tasks.compute", "researcher.tasks.sum_up"
PLAN, EXPORT = "researcher.tasks.plan", "comparison.tasks.make_export"
DATASET, REPORT = "comparison.tasks.make_dataset", "comparison.tasks.make_report"
SILENT = "The queue does not answer, so nothing is computed. Is the worker's server running?"


def start(computing: Computing, task: str, *given: object) -> None:
    """Ask a worker, if nobody is at it."""
    if computing.begin():
        try:
            current_app.send_task(task, given)
        except OperationalError:
            computing.fail(SILENT)
