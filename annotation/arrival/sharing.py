"""The places of a link, and who gives one to whom: shared between the origins that people come from.

An origin is the keyed hash of an internet address (`limits.origin_of`); who comes from an unknown one is nobody's kin.
"""

from collections import Counter
from collections.abc import Set

from django.db.models import Count, F
from django.utils import timezone

from annotation.arrival.limits import refusals_from, starts_from
from annotation.arrival.refusals import LinkFull, TooManyAtOnce
from annotation.models import Sitting, Study, StudyLink
from annotation.models.sitting import Comer, SittingQuerySet, has_place, is_coming

# So many people of one household or one lab may well come together.
FEW = 3
# Of a class each comes once or twice, and so many more may come in vain.
TRIED = 60


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
    coming = dict(others.filter(is_coming(now)).order_by().values_list("origin").annotate(many=Count("pk")))
    often = _begin_often(link, coming.keys() - {"", origin})
    reading = sum(many if of in ("", origin) else of not in often for of, many in coming.items())
    if others.filter(has_place(now)).count() + reading >= most:
        raise LinkFull


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


def comer_of(link: StudyLink | None, origin: str, others: SittingQuerySet) -> Comer:
    """Who comes from there, beside the `others` who are in the study.

    Where far more have come from an origin than there are, who has answered nothing of it goes behind all who come from
    elsewhere. The first few of an origin from which nobody holds items go before one of several of another who is
    still. The rest of it takes nothing from people who are alone.
    """
    shares = others.shares(timezone.now())
    known = {origin, *shares} - {""}
    starts = {} if link is None else starts_from(link, known)
    came = Counter(starts) + Counter({} if link is None else refusals_from(link, known))
    mine = shares.get(origin, 0)
    # Few who have waited for long, and came often, are no rush unless several of them have begun.
    many = (one for one, places in shares.items() if max(places, starts.get(one, 0)) > FEW)
    rushing = frozenset(one for one in many if came[one] > 2 * shares[one] + TRIED)
    if came[origin] > 2 * mine + TRIED:
        rushing = frozenset()
    crowds = {one: shares[one] for one in rushing}
    if mine or starts.get(origin, 0) > FEW:
        larger = frozenset(one for one, places in shares.items() if places > max(mine, 1))
        return Comer(origin, larger=larger, crowds=crowds, rushing=rushing)
    crowds |= {one: places for one, places in shares.items() if places > 1}
    return Comer(origin, larger=None, crowds=crowds, rushing=rushing)


def _begin_often(link: StudyLink, origins: Set[str]) -> set[str]:
    """Those from which more than a few have begun by the link within the hour."""
    return {origin for origin, starts in starts_from(link, origins).items() if starts > FEW}


def _others(link: StudyLink, besides: Sitting | None) -> SittingQuerySet:
    come = Sitting.objects.filter(link=link)
    return come if besides is None else come.exclude(pk=besides.pk)
