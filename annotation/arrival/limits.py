"""How many may begin from one internet address within an hour, and how many were turned away: counts in the cache.

Whoever invents ids gets no more than this, and no more of what is scarce than others do (sharing.py). An internet
address is stored nowhere. Its keyed hash, which nobody can turn back without the key, is kept in the cache for the hour
of the count, and with a sitting until it ends.

They are not in the database, where a flood of refusals would wait in line with people's answers."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from ipaddress import IPv6Address

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from redis.exceptions import RedisError

from accounts.addresses import visitor_address
from annotation.arrival.refusals import CannotStart, TooManyAtOnce, every_refusal
from annotation.models import Study, StudyLink

DAY = 24 * 3600

MINUTE, HOUR = 60, 3600
# The part of an IPv6 address that one household or one lab shares.
SHARED_BITS = 64
log = logging.getLogger(__name__)


def starts_from(link: StudyLink, origins: Set[str]) -> dict[str, int]:
    """How many have begun by the link within the hour from each of these origins, where any have."""
    return _counts({_key(link, origin): origin for origin in origins})


def refusals_from(link: StudyLink, origins: Set[str]) -> dict[str, int]:
    """How many were turned away within the hour who came by the link from each of these origins."""
    return _counts({f"{_key(link, origin)}:refused": origin for origin in origins})


def _counts(keys: Mapping[str, str]) -> dict[str, int]:
    try:
        counts = cache.get_many(list(keys)) if keys else {}
    except RedisError as error:
        log.warning("Starts from one address are not known: the cache's server does not answer (%s)", error)
        return {}
    return {keys[key]: int(many) for key, many in counts.items()}


def count_refusal(request: HttpRequest, link: StudyLink) -> None:
    """Somebody from the visitor's address was turned away."""
    if origin := origin_of(request, link.study):
        count(f"{_key(link, origin)}:refused", seconds=HOUR)


@contextmanager
def counted_start(request: HttpRequest, link: StudyLink) -> Iterator[None]:
    """Around what begins a sitting: one more from the visitor's address, unless it is refused.

    Raises TooManyAtOnce where as many have begun from there within the hour as may, or as many tried within a minute,
    who then cost no transaction. It is counted before it begins, so that many at once are not all let in.
    """
    origin = origin_of(request, link.study)
    if not origin:
        yield
        return
    key = _key(link, origin)
    tries = count(f"{key}:tries", seconds=MINUTE)
    begun = count(key, seconds=HOUR)
    try:
        if max(tries or 0, begun or 0) > settings.STARTS_PER_ADDRESS:
            raise TooManyAtOnce(gettext("Too many people have started this study from your network in the last hour."))
        yield
    except CannotStart:
        if begun is not None:
            # ValueError: forgotten meanwhile.
            with suppress(RedisError, ValueError):
                cache.decr(key)
        raise


def origin_of(request: HttpRequest, study: Study) -> str:
    """What a sitting keeps of the visitor's address until it ends: those who come from one share their places.

    Of each study another. Empty where nothing is limited: by the settings, or because all come from a proxy's address.
    """
    address = address_of(request)
    if not settings.STARTS_PER_ADDRESS or address is None:
        return ""
    return salted_hmac("annotation.origin", f"{study.pk}/{address}", algorithm="sha256").hexdigest()[:32]


def counted(key: str) -> int:
    """How many there are under this key; none where the cache's server does not answer."""
    try:
        return int(cache.get(key) or 0)
    except RedisError as error:
        log.warning("A limit does not act: the cache's server does not answer (%s)", error)
        return 0


def count(key: str, *, seconds: int) -> int | None:
    """One more under this key, forgotten so long after the first: how many there are; None where nobody can count."""
    try:
        cache.add(key, 0, seconds)
        return int(cache.incr(key))
    except (RedisError, ValueError) as error:
        # ValueError: forgotten between the two.
        log.warning("A count was not kept: the cache's server does not take it (%s)", error)
        return None


def _key(link: StudyLink, origin: str) -> str:
    return f"starts:{link.pk}:{origin}"


def address_of(request: HttpRequest) -> str | None:
    """The visitor's address, or of an IPv6 address the part that many share; None if it cannot be known."""
    found = visitor_address(request)
    if isinstance(found, IPv6Address):
        return f"{int(found) >> (128 - SHARED_BITS):x}/{SHARED_BITS}"
    return str(found) if found else None


def note_turned_away(link: StudyLink, reason: CannotStart) -> None:
    count(_turned_away_key(link, type(reason), timezone.now()), seconds=DAY)


def turned_away(links: Iterable[StudyLink]) -> dict[int, dict[str, int]] | None:
    """Today's (UTC) by link and the reason in a researcher's words; None where the cache's server does not answer."""
    links, now = list(links), timezone.now()
    keys = {
        _turned_away_key(link, reason, now): (link.pk, reason.short) for link in links for reason in every_refusal()
    }
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


def _turned_away_key(link: StudyLink, reason: type[CannotStart], now: datetime) -> str:
    return f"turned away:{link.pk}:{now.astimezone(UTC):%Y%m%d}:{reason.__name__}".replace(" ", "-")
