"""Messages to the workers. Rows are the truth; a message only says that one waits, so one too many is harmless.

Tasks are sent by name, so that nothing that starts work needs to import what does it; CELERY_TASK_ROUTES in
config/settings.py says on which queue each goes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from celery import current_app
from django.conf import settings
from kombu.exceptions import ChannelError, OperationalError

from scoring.models import Chunk, Run
from scoring.runs.fitting import CannotRun

# Redis hands out what has the lowest number first, and what has the same in the order of sending. A message without one
# has 0, so that only what nobody waits for has to step back.
STEPS_BACK = 9


class QueueSilent(CannotRun):
    """The row is stored, but its message could not be sent; it goes out when a worker starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outbox:
    """Where the messages of one task go: `task` is its name, `what` the noun for what is stored meanwhile."""

    task: str
    what: str

    @property
    def queue(self) -> str:
        route: dict[str, str] = settings.CELERY_TASK_ROUTES[self.task]
        return route["queue"]

    def send(self, pk: int, *, quickly: bool = False, priority: int = 0) -> None:
        """A message for a row that is committed; `quickly` by upkeep's queue. QueueSilent if it is not taken."""
        try:
            queue = settings.CELERY_TASK_DEFAULT_QUEUE if quickly else self.queue
            current_app.send_task(self.task, (pk,), queue=queue, priority=priority)
        except OperationalError as error:
            raise QueueSilent(
                f"The queue does not answer ({error}). The {self.what} is stored and starts when a worker does."
            ) from error

    def is_empty(self) -> bool:
        """Whether no message waits there; those that a worker has taken do not count."""
        return messages_waiting(self.queue) == 0


CHUNKS = Outbox(task="scoring.runs.tasks.score_chunk", what="run")


def messages_waiting(queue: str) -> int:
    """How many messages for workers are on a queue; those that a worker has taken do not count."""
    with current_app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        try:
            return int(channel.queue_declare(queue=queue, passive=True).message_count)
        except ChannelError:
            # Redis drops an empty queue, and a queue that is not there cannot be counted.
            return 0


def send(chunks: Iterable[Chunk]) -> None:
    """Messages for chunks that are committed. QueueSilent if the queue does not take them.

    What a person asked for is taken up before what the samples or a command line did; what a worker is at goes on.
    """
    for chunk in chunks:
        # A baseline that gives labels takes no time and must not wait behind models that take minutes.
        quickly = chunk.run.model.gives_labels_only
        CHUNKS.send(chunk.pk, quickly=quickly, priority=0 if chunk.run.asked_by else STEPS_BACK)


def recover(*, worker: str | None = None, crashed: bool = True) -> int:
    """Give lost chunks back to the queue; returns how many. The arguments are those of `give_back`."""
    orphans = Chunk.objects.select_related("run__model").give_back(worker=worker, crashed=crashed)
    send(orphans)
    return len(orphans)


def resend() -> None:
    """Put every waiting chunk on the queue: the queue may have been emptied since."""
    live = [Run.State.QUEUED, Run.State.RUNNING]
    waiting = Chunk.objects.filter(state=Chunk.State.WAITING, run__state__in=live)
    send(waiting.select_related("run__model").order_by("pk"))


def keep_moving() -> None:
    """What upkeep does for runs: take back lost chunks, and fill a queue that was emptied under us."""
    recover()
    if CHUNKS.is_empty():
        resend()
