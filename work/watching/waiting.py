"""What waits and what is held, by kind of work and queue."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.utils import timezone

from work.queue import leased_models


@dataclass(frozen=True, slots=True)
class Waiting:
    """`oldest`: since when the first of those that wait does. `lost`: held under a lease that ran out."""

    kind: str
    queue: str
    waiting: int
    oldest: datetime | None
    held: int
    lost: int

    @property
    def age(self) -> float:
        """Of the oldest, in seconds."""
        return (timezone.now() - self.oldest).total_seconds() if self.oldest else 0.0


def read_waiting() -> Iterator[Waiting]:
    for model in leased_models():
        lost = Q(lease_expires_at__lt=Now())
        holds = model.objects.filter(state=model.HELD).order_by()
        held = holds.aggregate(held=Count("pk"), lost=Count("pk", filter=lost))
        for queue, rows in model.objects.waiting_by_queue().items():
            found = rows.order_by().aggregate(waiting=Count("pk"), oldest=Min(model.SINCE))
            yield Waiting(model._meta.label, queue or "upkeep", **found, **held)
            # Which of several queues it was held for is not asked.
            held = {"held": 0, "lost": 0}
