"""What each link brings, as it stands now: who begins, who is at it, who has finished, and who was turned away."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from annotation.arrival.limits import turned_away
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
