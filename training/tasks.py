"""Celery's side of training: load, call, record. Ids go in, nothing comes out."""

from celery import shared_task

from scoring.runs.place import at_start, place
from training.classifier import starting, working


@shared_task(name="training.tasks.train")
def train(training_id: int) -> None:
    working.work(training_id, worker=place())


@shared_task(name="training.tasks.upkeep")
def upkeep() -> None:
    """What time brings about: lost trainings go back to the queue."""
    starting.keep_moving()


at_start(recover=starting.recover, resend=starting.resend)
