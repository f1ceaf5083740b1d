"""The links of a study with what each has brought, read in a constant number of queries."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from annotation.arrival.limits import turned_away
from annotation.arrival.links import filled_in_by_platform
from annotation.models import Sitting, Study, StudyLink
from annotation.models.sitting import HOLDING, takes_place

COUNTED = ("under_way", "before", "unanswered", "finished", "last_hour", "places")


@dataclass(frozen=True, slots=True)
class Arrivals:
    """`most` is how many places there are, 0 for any number. `places` are taken: of those that have `begun`, all but
    those that came to nothing. `refused` is today's by reason, None if it cannot be known.

    Of those under way, `before` have not come to the items, and `unanswered` hold some without an answer yet.
    """

    begun: int
    most: int
    under_way: int
    before: int
    unanswered: int
    finished: int
    last_hour: int
    places: int
    refused: dict[str, int] | None

    @property
    def is_full(self) -> bool:
        return bool(self.most) and self.places >= self.most

    @property
    def refused_most_first(self) -> list[tuple[str, int]]:
        return sorted((self.refused or {}).items(), key=lambda one: (-one[1], one[0]))


def read_arrivals(study: Study, links: list[StudyLink]) -> dict[int, Arrivals]:
    """By link, in one query and one question to the cache."""
    active, now = Q(state=Sitting.State.ACTIVE), timezone.now()
    rows = (
        study.sittings.exclude(link=None)
        .values_list("link")
        .order_by("link")
        .annotate(
            under_way=Count("pk", filter=active),
            before=Count("pk", filter=active & ~Q(stage__in=HOLDING)),
            unanswered=Count("pk", filter=active & Q(has_answered=False, stage__in=HOLDING)),
            finished=Count("pk", filter=Q(state=Sitting.State.FINISHED)),
            last_hour=Count("pk", filter=Q(started_at__gte=now - timedelta(hours=1))),
            places=Count("pk", filter=takes_place(now)),
        )
    )
    counts = {link: dict(zip(COUNTED, counted, strict=True)) for link, *counted in rows}
    refused = turned_away(links)
    nobody = dict.fromkeys(COUNTED, 0)
    return {
        link.pk: Arrivals(
            begun=link.starts,
            most=study.max_starts if link.max_starts is None else link.max_starts,
            refused=None if refused is None else refused[link.pk],
            **counts.get(link.pk, nobody),
        )
        for link in links
    }


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link with the whole address that annotators, or their platform, are given."""

    link: StudyLink
    address: str
    has_expired: bool
    arrivals: Arrivals


@dataclass(frozen=True, slots=True)
class LinksPage:
    """`are_filled_in`: the platform fills in who comes, in the links as they stand."""

    links: list[LinkLine]
    are_filled_in: bool

    @property
    def to_send(self) -> LinkLine | None:
        """The newest link that has not expired; before that, one that still has a place."""
        valid = [line for line in self.links if not line.has_expired]
        return next((line for line in valid if not line.arrivals.is_full), valid[0] if valid else None)


def read_links(study: Study, absolute: Callable[[str], str]) -> LinksPage:
    """`absolute` makes a whole address of a path."""
    return LinksPage(_links(study, absolute, timezone.now()), bool(filled_in_by_platform(study)))


def _links(study: Study, absolute: Callable[[str], str], now: datetime) -> list[LinkLine]:
    """The newest first, those that have expired last."""
    links = list(study.links.order_by("-created_at", "-pk"))
    arrivals = read_arrivals(study, links)
    filled_in = filled_in_by_platform(study)
    lines = [
        LinkLine(link, absolute(link.get_absolute_url()) + filled_in, link.has_expired(now), arrivals[link.pk])
        for link in links
    ]
    return sorted(lines, key=lambda line: line.has_expired)
