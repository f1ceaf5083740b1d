"""Celery's side of scoring: load, call, record. Ids go in, nothing comes out."""

from celery import shared_task

from annotation.assignment import release_lapsed
from annotation.privacy.ids import forget_due
from scoring.runs import queue
from scoring.runs.place import at_start, place
from scoring.runs.working import work


@shared_task(name="scoring.runs.tasks.score_chunk")
def score_chunk(chunk_id: int) -> None:
    work(chunk_id, worker=place())


@shared_task(name="scoring.runs.tasks.upkeep")
def upkeep() -> None:
    """What time brings about: lapsed sittings give their slots back, ids whose time has come are erased, lost chunks go
    back to the queue.
    """
    release_lapsed()
    forget_due()
    queue.keep_moving()


at_start(recover=queue.recover, resend=queue.resend)
