"""Which queues have a worker that lives: each says so every ten seconds, in the cache that all processes share."""

import logging
import time
from typing import Any

from celery import current_app
from celery.signals import heartbeat_sent
from django.core.cache import cache
from redis.exceptions import RedisError

from work.queues import Queue

log = logging.getLogger(__name__)

EVERY = 10.0
# After so many seconds without a beat it is not believed to live.
SILENT = 45
_last = {"at": 0.0}


@heartbeat_sent.connect
def _beat(**_: object) -> None:
    now = time.monotonic()
    if now - _last["at"] < EVERY:
        return
    _last["at"] = now
    queues: Any = current_app.amqp.queues.consume_from
    try:
        cache.set_many({_key(queue): time.time() for queue in queues}, SILENT)
    except RedisError as error:
        log.warning("Nobody is told that this worker lives: %s", error)


def beats() -> dict[Queue, float]:
    """When each queue's workers were last heard of, in seconds since 1970; those without any are left out."""
    found = cache.get_many([_key(queue) for queue in Queue])
    return {queue: found[_key(queue)] for queue in Queue if _key(queue) in found}


def _key(queue: str) -> str:
    return f"alive:{queue}"
