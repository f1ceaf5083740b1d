"""What Celery calls: load, call, record. Ids go in; what comes out is only for the log."""

from celery import Task, shared_task

from work import queue
from work.kinds import KINDS
from work.place import place
from work.watching import health  # noqa: F401 its worker says that it lives
from work.watching.lines import NOT_FOR_US


@shared_task(name=queue.DO, bind=True)
def do(task: Task[..., str | None], model: str, pk: int) -> str | None:
    sent_on = (task.request.delivery_info or {}).get("routing_key")
    was_for_us = KINDS[model].work(pk, worker=place(), queue=sent_on or "")
    return None if was_for_us else NOT_FOR_US


@shared_task(name="work.tasks.upkeep")
def upkeep() -> None:
    queue.keep_moving()
