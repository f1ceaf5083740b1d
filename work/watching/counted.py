"""What all processes count together, workers on other machines too, in the queue's server.

If that server is emptied, counts start again at 0, which Prometheus takes for a restart.
"""

import logging

from django.contrib.auth.signals import user_login_failed
from django.core.cache import cache
from django.dispatch import receiver
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

# Name, and what it counts.
COUNTED = {
    "items_scored": "Items that workers have scored.",
    "leases_expired": "Rows of work whose worker was lost.",
    "worn_out": "Rows of work given up because they ended their workers.",
    "too_long": "Rows of work given up at their time limit.",
    "failures": "Rows of work that failed with an error.",
    "database_errors": "Requests that the database did not answer.",
    "failed_logins": "Wrong passwords.",
}


def count(name: str, by: int = 1) -> None:
    """Nothing depends on it: where the server does not answer, it is not counted."""
    if not by:
        return
    try:
        cache.add(_key(name), 0, None)
        cache.incr(_key(name), by)
    except (RedisError, ValueError) as error:
        log.warning("%s was not counted: %s", name, error)


@receiver(user_login_failed)
def _count_failed_login(**_: object) -> None:
    count("failed_logins")


def read_counted() -> dict[str, int]:
    """RedisError."""
    found = cache.get_many([_key(name) for name in COUNTED])
    return {name: found.get(_key(name), 0) for name in COUNTED}


def _key(name: str) -> str:
    assert name in COUNTED, name
    return f"counted:{name}"
