"""How many may begin: by one link, counted in the database, and from one address, counted in the cache for an hour.

Whoever invents ids gets no more than this, and no more of what is scarce than others do (`SittingQuerySet.giving_way`).
An internet address is stored nowhere. Its keyed hash, which nobody can turn back without the key, is kept in the cache
for the hour of the count, and with a sitting until it ends.
"""

import logging
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from redis.exceptions import RedisError

from accounts.addresses import visitor_address
from annotation.arrival.refusals import CannotStart, LinkFull, TooManyAtOnce
from annotation.models import Sitting, Study, StudyLink
from annotation.models.sitting import FEW, Comer, SittingQuerySet, has_place, is_coming

MINUTE, HOUR = 60, 3600
# The part of an IPv6 address that one household or one lab shares.
SHARED_BITS = 64

log = logging.getLogger(__name__)


def count_start(link: StudyLink) -> None:
    """One more sitting has begun by this link."""
    StudyLink.objects.filter(pk=link.pk).update(starts=F("starts") + 1)


def refuse_full_link(study: Study, link: StudyLink, *, origin: str, besides: Sitting | None = None) -> None:
    """Raises LinkFull where as many as may have come by the link, `besides` left out; the study's lock makes it exact.

    Sittings that came to nothing make room again: whom the platform sends in their place is as welcome. Those who
    stand before the items count one for each origin but this visitor's own, and none where several have begun of late,
    so that nobody holds places by reading.
    """
    own = StudyLink.objects.values_list("max_starts", flat=True).get(pk=link.pk)
    most = study.max_starts if own is None else own
    if not most:
        return
    others, now = _others(link, besides), timezone.now()
    coming = others.filter(is_coming(now)).order_by().values_list("origin").annotate(many=Count("pk"))
    reading = _reading(link, dict(coming), origin)
    if others.filter(has_place(now)).count() + reading >= most:
        raise LinkFull


def _reading(link: StudyLink, coming: Mapping[str, int], origin: str) -> int:
    often = _begun_often(link, coming.keys() - {"", origin})
    return sum(many if of in ("", origin) else of not in often for of, many in coming.items())


def comer_of(link: StudyLink | None, origin: str) -> Comer:
    return Comer(origin, link is not None and origin in _begun_often(link, {origin} - {""}))


def _begun_often(link: StudyLink, origins: Set[str]) -> set[str]:
    """Those from which more than a few have begun by the link within the hour."""
    keys = {_key(link, origin): origin for origin in origins}
    try:
        counts = cache.get_many(list(keys)) if keys else {}
    except RedisError as error:
        log.warning("Starts from one address are not limited: the cache's server does not answer (%s)", error)
        return set()
    return {keys[key] for key, many in counts.items() if int(many) > FEW}


def refuse_without_place(sitting: Sitting) -> None:
    """Raises LinkFull where the link by which it comes has no place for it."""
    assert sitting.link is not None, "the rule is about links"
    refuse_full_link(sitting.study, sitting.link, origin=sitting.origin, besides=sitting)


def refuse_crowd(sitting: Sitting) -> None:
    """Before items are given out. Raises TooManyAtOnce where as many who came by the link have not answered yet as may.

    The caller holds the study's lock.
    """
    assert sitting.link is not None, "the rule is about links"
    most = sitting.study.max_unanswered
    if most and _others(sitting.link, sitting).unanswered().count() >= most:
        raise TooManyAtOnce


def _others(link: StudyLink, besides: Sitting | None) -> SittingQuerySet:
    come = Sitting.objects.filter(link=link)
    return come if besides is None else come.exclude(pk=besides.pk)


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
            raise TooManyAtOnce(gettext("Very many people have begun this study from your network within the hour."))
        yield
    except CannotStart:
        if begun is not None:
            _take_back(key)
        raise


def _take_back(key: str) -> None:
    # ValueError: forgotten meanwhile.
    with suppress(RedisError, ValueError):
        cache.decr(key)


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
