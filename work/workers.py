"""Asking who works. The queue's server may die while a command waits, and that is told in a sentence."""

from collections.abc import Callable
from typing import TypeVar

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from work.queues import Queue

Answer = TypeVar("Answer")

# kombu wraps what goes wrong while it connects; a connection that breaks later shows the client's own errors.
GONE = (OperationalError, RedisError, OSError)


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
        raise QueueGone(f"The queue does not answer ({error}).") from error


def silence(what: str, *, timeout: float, limit: int | None = None) -> str:
    """Why nothing moves, in sentences: the queue has gone, or nobody works; empty if a worker answers.

    `what` is stored meanwhile, such as *The run is stored and goes on*: of runs alone it is said, and those two queues
    are theirs. The first `limit` answers are enough.
    """
    try:
        answers = ask_workers(lambda: current_app.control.ping(timeout=timeout, limit=limit))
    except QueueGone as error:
        return f"{error} {what} when it does."
    if answers:
        return ""
    queues = f"{Queue.SCORING},{Queue.UPKEEP}"
    return f"No worker answers. {what} when one starts: make run, or celery -A config worker -Q {queues}."
