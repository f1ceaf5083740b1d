"""How many may begin: by one link, counted in the database, and from one address, counted in the cache for an hour.

Whoever invents ids gets no more than this. An internet address is stored nowhere: what is counted is its keyed hash,
made anew every hour, which nobody can turn back or line up with the hour before.
"""

import logging
from ipaddress import IPv6Address

from django.conf import settings
from django.core.cache import cache
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from redis.exceptions import RedisError

from accounts.addresses import visitor_address
from annotation.arrival.refusals import LinkFull, TooManyAtOnce
from annotation.models import Sitting, Study, StudyLink
from annotation.models.sitting import SittingQuerySet, takes_place

HOUR = 3600
# The part of an IPv6 address that one household or one lab shares.
SHARED_BITS = 64
# So many starts from one address may displace the idle within the hour: a person needs one.
DISPLACING = 3

log = logging.getLogger(__name__)


def count_start(link: StudyLink) -> None:
    """One more sitting has begun by this link."""
    StudyLink.objects.filter(pk=link.pk).update(starts=F("starts") + 1)


def refuse_full_link(study: Study, link: StudyLink, *, besides: Sitting | None = None) -> None:
    """Raises LinkFull where as many as may have come by the link, `besides` left out; the study's lock makes it exact.

    Sittings that came to nothing make room again: whom the platform sends in their place is as welcome.
    """
    own = StudyLink.objects.values_list("max_starts", flat=True).get(pk=link.pk)
    most = study.max_starts if own is None else own
    if most and _others(link, besides).filter(takes_place(timezone.now())).count() >= most:
        raise LinkFull


def refuse_crowd(study: Study, link: StudyLink, *, besides: Sitting | None = None) -> None:
    """Before items are given out. Raises TooManyAtOnce where as many who came by the link have not answered yet as may.

    The caller holds the study's lock.
    """
    if study.max_unanswered and _others(link, besides).unanswered().count() >= study.max_unanswered:
        raise TooManyAtOnce


def _others(link: StudyLink, besides: Sitting | None) -> SittingQuerySet:
    come = Sitting.objects.filter(link=link)
    return come if besides is None else come.exclude(pk=besides.pk)


def refuse_address(request: HttpRequest, link: StudyLink) -> None:
    """Raises TooManyAtOnce where as many have begun from the visitor's address within the hour as may."""
    if settings.STARTS_PER_ADDRESS and _begun_from(request, link) >= settings.STARTS_PER_ADDRESS:
        raise TooManyAtOnce(gettext("Very many people have begun this study from your network within the hour."))


def may_displace(request: HttpRequest, link: StudyLink) -> bool:
    """Whether the idle give way to this visitor: only to the first few who begin from one address.

    Else one program that invents ids would take every place that comes free, ahead of all who come from elsewhere.
    """
    return not settings.STARTS_PER_ADDRESS or _begun_from(request, link) < DISPLACING


def _begun_from(request: HttpRequest, link: StudyLink) -> int:
    """How many have begun by the link from the visitor's address within the hour; 0 where that cannot be known."""
    key = _key(request, link)
    if key is None:
        return 0
    try:
        return int(cache.get(key) or 0)
    except RedisError as error:
        log.warning("Starts from one address are not limited: the cache's server does not answer (%s)", error)
        return 0


def count_address(request: HttpRequest, link: StudyLink) -> None:
    key = _key(request, link)
    if key is not None:
        count(key, seconds=HOUR)


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


def _key(request: HttpRequest, link: StudyLink) -> str | None:
    """None where nothing is limited: by the settings, or because all come from the address of one proxy."""
    address = address_of(request)
    if not settings.STARTS_PER_ADDRESS or address is None:
        return None
    hour = int(timezone.now().timestamp()) // HOUR
    return "starts:" + salted_hmac("annotation.starts", f"{hour}/{link.pk}/{address}", algorithm="sha256").hexdigest()


def address_of(request: HttpRequest) -> str | None:
    """The visitor's address, or of an IPv6 address the part that many share; None if it cannot be known."""
    found = visitor_address(request)
    if isinstance(found, IPv6Address):
        return f"{int(found) >> (128 - SHARED_BITS):x}/{SHARED_BITS}"
    return str(found) if found else None
