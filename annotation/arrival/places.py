"""The places of a link: how many there are, who they are shared out to, and whose items go to somebody who comes.

Where a visitor would find nothing, one who came by a link and is idle gives way: their sitting lapses, and its items go
to the visitor. Else a few ids that are invented, or left, would shut a study to all who come. Idle is without a new
answer, and without the one sign of life that counts between two answers (`Sitting.is_here`). An origin is the keyed
hash of an internet address (`limits.origin_of`); two unknown ones are never the same.

| who gives way                                    | idle for                      | to whom                         |
|--------------------------------------------------|-------------------------------|---------------------------------|
| who has answered nothing                         | `IDLE`, 5 minutes             | whose origin holds fewer places |
| who has labeled less than a quarter              | `AWAY`, 10 minutes            | whose origin holds fewer places |
| anybody                                          | the study's lease             | anybody                         |
| of an origin with several places, who has        |                               | the first few of an origin      |
| - labeled less than a quarter                    | `WHILE`, 4 minutes            |   from which nobody holds any   |
| - labeled more                                   | `WHILE`, since their answer   |                                 |
| - answered nothing                               | `IDLE`, since the first item  |                                 |
| of an origin from which far more come than hold  | `MOMENT`, 1 minute; twice     | anybody of another origin       |
| items, who has answered nothing                  |   that since the first item   |                                 |

First those of the origin that holds most give way, then who has been idle for longest. One short rule in place of this
table (nothing answered for five minutes, or less than a quarter and idle for ten) was tried on 2026-11-26: the tests of
invented ids hold, and twelve in tests/annotation/arrival/test_sharing.py do not, since one address holds every place
for minutes.
"""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, Count, Exists, F, OuterRef, Q, When
from django.utils import timezone

from annotation.arrival.limits import refusals_from, starts_from
from annotation.arrival.refusals import LinkFull, TooManyAtOnce
from annotation.models import Assignment, Item, Sitting, Study, StudyLink
from annotation.models.sitting import AWAY, HOLDING, SittingQuerySet, has_place, is_coming

# So many people of one household or one lab may well come together.
FEW = 3
# Of a class each comes once or twice, and so many more may come in vain.
TRIED = 60
# The durations of the table above.
IDLE, WHILE, MOMENT = timedelta(minutes=5), timedelta(minutes=4), timedelta(minutes=1)
# Of what `_with_counts` counts: less than a quarter is labeled, as by invented ids.
HARDLY_BEGUN = Q(offered__gt=4 * F("labeled"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Who wants a place, when, and the origins that may have to give one.

    The idle of the `larger` origins give way, None for those of any; `crowds` are the origins that hold several places,
    by how many, and `rushing` those from which far more come than hold items.
    """

    now: datetime
    lease: timedelta
    origin: str
    larger: frozenset[str] | None
    crowds: Mapping[str, int]
    rushing: frozenset[str]

    def evictable(self, others: SittingQuerySet) -> SittingQuerySet:
        """Those of the others who give way, who does so first in front."""
        now = self.now
        idle = Q(has_answered=False, active_at__lt=now - IDLE) | HARDLY_BEGUN & Q(active_at__lt=now - AWAY)
        if self.larger is not None:
            idle &= Q(origin__in=["", self.origin, *self.larger])
        of_crowd = HARDLY_BEGUN & Q(active_at__lt=now - WHILE) | Q(has_answered=True, last_answer_at__lt=now - WHILE)
        of_crowd |= Q(_has_items_since(now - IDLE), has_answered=False)
        of_rush = Q(Q(active_at__lt=now - MOMENT) | Q(_has_items_since(now - 2 * MOMENT)), has_answered=False)
        crowding = Q(origin__in=[*self.crowds]) & of_crowd | Q(origin__in=self.rushing) & of_rush
        found = _with_counts(others).filter(idle | crowding | Q(active_at__lt=now - self.lease))
        sizes = [When(origin=origin, then=-places) for origin, places in self.crowds.items()]
        return found.order_by(*([Case(*sizes, default=0)] if sizes else []), "active_at", "pk")

    def may_come_free(self, others: SittingQuerySet) -> bool:
        """Whether one of them lapses, or gives way, now or within minutes."""
        soon = HARDLY_BEGUN | Q(origin__in=[*self.crowds]) | Q(active_at__lt=self.now - self.lease)
        return others.overdue().exists() or _with_counts(others).filter(soon).exists()

    def place_may_come_free(self, by_link: SittingQuerySet) -> bool:
        """Whether one of them gives its link's place back, now or within minutes; also who has not come to items."""
        return by_link.filter(is_coming(self.now)).exists() or self.may_come_free(by_link)


def _with_counts(others: SittingQuerySet) -> SittingQuerySet:
    """Those who came by a link and hold items, with how many were `offered` to them and how many are `labeled`."""
    item = ~Q(assignments__item__kind=Item.Kind.PRACTICE)
    held = others.filter(state=Sitting.State.ACTIVE, stage__in=HOLDING).exclude(link=None)
    return held.alias(
        offered=Count("assignments", filter=item),
        labeled=Count("assignments", filter=item & Q(assignments__state__in=Assignment.ANSWERED)),
    )


def _has_items_since(then: datetime) -> Exists:
    """Whether its first item stood before them by then: taking the instructions up again does not put that off."""
    return Exists(Assignment.objects.filter(sitting=OuterRef("pk"), shown_at__lt=then))


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
    if others.filter(has_place()).count() + reading >= most:
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


def arrival_of(study: Study, link: StudyLink | None, origin: str, others: SittingQuerySet) -> Arrival:
    """Who comes from there, beside the `others` who are in the study.

    Where far more have come from an origin than there are, who has answered nothing of it goes behind all who come from
    elsewhere. The first few of an origin from which nobody holds items go before one of several of another who is
    idle. The rest of it takes nothing from people who are the only ones of theirs.
    """
    now = timezone.now()
    shares = others.shares(now)
    known = {origin, *shares} - {""}
    starts = {} if link is None else starts_from(link, known)
    came = Counter(starts) + Counter({} if link is None else refusals_from(link, known))
    mine = shares.get(origin, 0)
    # Few who have waited for long, and came often, are no rush unless several of them have begun.
    many = (one for one, places in shares.items() if max(places, starts.get(one, 0)) > FEW)
    rushing = frozenset(one for one in many if came[one] > 2 * shares[one] + TRIED)
    if came[origin] > 2 * mine + TRIED:
        rushing = frozenset()
    crowds, larger = {one: shares[one] for one in rushing}, None
    if mine or starts.get(origin, 0) > FEW:
        larger = frozenset(one for one, places in shares.items() if places > max(mine, 1))
    else:
        crowds |= {one: places for one, places in shares.items() if places > 1}
    return Arrival(now=now, lease=study.lease, origin=origin, larger=larger, crowds=crowds, rushing=rushing)


def _begin_often(link: StudyLink, origins: Set[str]) -> set[str]:
    """Those from which more than a few have begun by the link within the hour."""
    return {origin for origin, starts in starts_from(link, origins).items() if starts > FEW}


def _others(link: StudyLink, besides: Sitting | None) -> SittingQuerySet:
    come = Sitting.objects.filter(link=link)
    return come if besides is None else come.exclude(pk=besides.pk)
