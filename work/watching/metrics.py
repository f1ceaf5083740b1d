"""What waits, what is held and what was counted, as pages and Prometheus read it.

Requests are counted in each web process; under gunicorn (gunicorn.conf.py) each keeps its counts in a file, and
the one that answers adds them up. What workers count is in the queue's server, what waits in the database.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import Error
from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from work.queue import leased_models
from work.watching.counted import COUNTED, read_counted
from work.watching.health import beats


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


SHARED = "PROMETHEUS_MULTIPROC_DIR"
REQUESTS = Histogram(
    "parallax_request_seconds",
    "Requests and how long they took, by the name of the address.",
    ["view", "method", "status"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


class Work(Collector):
    """What waits, who works, and what workers have counted. What does not answer is left out."""

    def collect(self) -> Iterator[Metric]:
        for name, silent, read in (("database", Error, self._rows), ("queue", RedisError, self._counts)):
            answers = True
            try:
                yield from read()
            except silent:
                answers = False
            yield GaugeMetricFamily(f"parallax_{name}_up", f"Whether the {name} answers.", value=answers)

    def _rows(self) -> Iterator[Metric]:
        depth = GaugeMetricFamily("parallax_waiting", "Rows of work that wait.", labels=["kind", "queue"])
        age = GaugeMetricFamily("parallax_oldest_seconds", "How long the oldest has waited.", labels=["kind", "queue"])
        held = GaugeMetricFamily("parallax_held", "Rows of work that a worker holds.", labels=["kind", "queue"])
        for one in read_waiting():
            of = [one.kind, one.queue]
            depth.add_metric(of, one.waiting)
            age.add_metric(of, one.age)
            held.add_metric(of, one.held)
        yield from (depth, age, held)

    def _counts(self) -> Iterator[Metric]:
        alive = GaugeMetricFamily("parallax_worker_last_seen", "When a queue’s workers last said so.", labels=["queue"])
        for queue, at in beats().items():
            alive.add_metric([queue], at)
        yield alive
        for name, value in read_counted().items():
            yield CounterMetricFamily(f"parallax_{name}", COUNTED[name], value=value)


def as_text() -> bytes:
    requests = REGISTRY
    if SHARED in os.environ:
        requests = CollectorRegistry()
        MultiProcessCollector(requests)  # type: ignore[no-untyped-call]
    work = CollectorRegistry()
    work.register(Work())
    return generate_latest(requests) + generate_latest(work)
