"""Messages to the workers. Rows are the truth; a message only says that one waits, so one too many is harmless.

And asking who works. The queue's server may die while a command waits, and that is told in a sentence.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from celery import current_app
from django.apps import apps
from kombu.exceptions import ChannelError, OperationalError
from redis.exceptions import RedisError

from work.leases import Leased
from work.queues import Queue
from work.watching.counted import count

Answer = TypeVar("Answer")
DO = "work.tasks.do"
# Seconds between the end of a row's time and that of its worker.
GRACE = 60
# kombu wraps what goes wrong while it connects; a connection that breaks later shows the client's own errors.
GONE = (OperationalError, RedisError, OSError)


class QueueSilent(RuntimeError):
    """The row is stored, but its message could not be sent; it goes out when a worker starts."""


def leased_models() -> Iterator[type[Leased]]:
    """Every kind of row that workers claim."""
    return (model for model in apps.get_models() if issubclass(model, Leased))


def sent_models() -> Iterator[type[Leased]]:
    """Those of which messages are sent."""
    return (model for model in leased_models() if model.QUEUE)


def send(rows: Iterable[Leased]) -> None:
    """Messages for those rows that wait and are committed. QueueSilent if the queue does not take them."""
    for row in rows:
        if row.state != row.WAITS or not row.queue:
            continue
        try:
            current_app.send_task(DO, (row._meta.label, row.pk), **_options(row))
        except OperationalError as error:
            raise QueueSilent(
                f"The task queue cannot be reached ({error}). The {row.NOUN} is stored and starts when a worker does."
            ) from error


def _options(row: Leased) -> dict[str, Any]:
    """Of its message. At its limit a worker is told by an exception, and where it does not hear, killed."""
    seconds = int(row.limit.total_seconds())
    limits = {"soft_time_limit": seconds, "time_limit": seconds + GRACE}
    return {"queue": row.queue, "priority": row.priority, **limits}


def messages_waiting(queue: str) -> int:
    """How many messages for workers are on a queue; those that a worker has taken do not count."""
    with current_app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        try:
            return int(channel.queue_declare(queue=queue, passive=True).message_count)
        except ChannelError:
            # Redis drops an empty queue, and a queue that is not there cannot be counted.
            return 0


def recover(*, worker: str | None = None, crashed: bool = True) -> int:
    """Give lost rows of every kind back to the queue; returns how many. The arguments are those of `give_back`."""
    orphans = [row for model in leased_models() for row in model.objects.give_back(worker=worker, crashed=crashed)]
    count("leases_expired", len(orphans))
    send(orphans)
    return len(orphans)


def resend() -> None:
    """Put every row that waits on its queue: the queue may have been emptied since."""
    for model in sent_models():
        send(model.objects.waiting().takeable())


def keep_moving() -> None:
    """What time brings about: lost rows are taken back, and a queue that was emptied under us is filled."""
    recover()
    for model in sent_models():
        for queue, waiting in model.objects.waiting_by_queue().items():
            wanted = waiting.takeable()
            if wanted.exists() and messages_waiting(queue) == 0:
                send(wanted)


class QueueGone(RuntimeError):
    """The queue's server does not answer. str() says so; what was stored goes on when it does."""


def ask_workers(question: Callable[[], Answer]) -> Answer:
    """What the workers say; QueueGone if the queue's server has gone.

    Asked once more where that fails: a server that was started anew answers on a new connection only.
    """
    try:
        return question()
    except GONE:
        pass
    try:
        return question()
    except GONE as error:
        raise QueueGone(f"The task queue cannot be reached ({error}).") from error


def silence(what: str, *, timeout: float, limit: int | None = None) -> str:
    """Why nothing moves, in sentences: the queue has gone, or nobody works; empty if a worker answers.

    `what` is stored meanwhile, such as *The run is stored and goes on*: of runs alone it is said, and those two queues
    are theirs. The first `limit` answers are enough.
    """
    try:
        answers = ask_workers(lambda: current_app.control.ping(timeout=timeout, limit=limit))
    except QueueGone as error:
        return f"{error} {what} when it can."
    if answers:
        return ""
    queues = f"{Queue.SCORING},{Queue.UPKEEP}"
    return f"No worker is running. {what} when one starts: make run, or celery -A config worker -Q {queues}."
