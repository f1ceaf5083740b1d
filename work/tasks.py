"""What Celery calls: load, call, record. Ids go in, nothing comes out."""

from celery import Task, shared_task

from work import queue
from work.kinds import KINDS
from work.place import place
from work.watching import health  # noqa: F401 its worker says that it lives


@shared_task(name=queue.DO, bind=True)
def do(task: Task[..., None], model: str, pk: int) -> None:
    sent_on = (task.request.delivery_info or {}).get("routing_key")
    KINDS[model].work(pk, worker=place(), queue=sent_on or "")


@shared_task(name="work.tasks.upkeep")
def upkeep() -> None:
    queue.keep_moving()
