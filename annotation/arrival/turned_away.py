"""How many were turned away today, by link and reason: a count in the cache, and nothing of who they were.

Not in the database, where a flood of refusals would wait in line with people's answers.
"""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime

from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import RedisError

from annotation.arrival.limits import count
from annotation.arrival.refusals import CannotStart, every_refusal
from annotation.models import StudyLink

DAY = 24 * 3600

log = logging.getLogger(__name__)


def note(link: StudyLink, reason: CannotStart) -> None:
    count(_key(link, type(reason), timezone.now()), seconds=DAY)


def turned_away(links: Iterable[StudyLink]) -> dict[int, dict[str, int]] | None:
    """Today's (UTC) by link and the reason in a researcher's words; None where the cache's server does not answer."""
    links, now = list(links), timezone.now()
    keys = {_key(link, reason, now): (link.pk, reason.short) for link in links for reason in every_refusal()}
    try:
        counts = cache.get_many(list(keys))
    except RedisError as error:
        log.warning("How many were turned away is not known: the cache's server does not answer (%s)", error)
        return None
    found: dict[int, dict[str, int]] = {link.pk: {} for link in links}
    for key, (link, short) in keys.items():
        if key in counts:
            found[link][short] = found[link].get(short, 0) + int(counts[key])
    return found


def _key(link: StudyLink, reason: type[CannotStart], now: datetime) -> str:
    return f"turned away:{link.pk}:{now.astimezone(UTC):%Y%m%d}:{reason.__name__}".replace(" ", "-")
