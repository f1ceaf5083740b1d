"""What has been given to a study, in sums: by annotator, by sitting, by day. Cost grows with every answer there is."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count, Q, QuerySet
from pydantic import TypeAdapter

from annotation.models import Assignment, Item, Study
from annotation.tasktypes.contract import Scale
from researcher.studies.collection import Collection, read_collection
from researcher.studies.outlook import Outlook, read_outlook
from researcher.studies.times import Times, times_of

State = Assignment.State
CHECKS = (Item.Kind.GOLD, Item.Kind.ATTENTION)


@dataclass(frozen=True, slots=True)
class Work:
    """One annotator's. `labels` are those on targets; `counted` of them count. `distances`: gold answers by degrees.

    Seconds are the median, None where unmeasured.
    """

    labels: int = 0
    counted: int = 0
    passed: int = 0
    failed: int = 0
    distances: tuple[int, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """By annotator; answered and offered items by sitting; labels by day; what that says of what is to come."""

    work: dict[int, Work]
    sittings: dict[int, tuple[int, int]]
    collection: Collection
    outlook: Outlook | None = None
    times: Times | None = None


GIVEN = TypeAdapter(Given)


def given_parts(version: str) -> list[object]:
    """What it is remembered by."""
    return ["given, with an outlook", version]


def read_given(study: Study) -> Given:
    """Nine queries, grouped in the database but for the times, whose median no database of ours knows."""
    took = _times(study)
    return Given(
        _work(study, _seconds(took)),
        _sittings(study),
        read_collection(study),
        read_outlook(study),
        times_of(took["annotator"], took["took"]),
    )


def _work(study: Study, seconds: dict[int, float]) -> dict[int, Work]:
    answered = Assignment.objects.filter(sitting__study=study, state__in=Assignment.ANSWERED).order_by()
    targets = answered.filter(item__kind=Item.Kind.TARGET)
    sums = targets.values("annotator").annotate(labels=Count("pk"), counted=Count("pk", filter=Q(state=State.COUNTED)))
    labels = {row["annotator"]: (row["labels"], row["counted"]) for row in sums}
    checks = _checks(study.task.scale, answered)
    found = {}
    for annotator in labels.keys() | checks.keys():
        given, counted = labels.get(annotator, (0, 0))
        passed, failed, distances = checks.get(annotator, (0, 0, ()))
        found[annotator] = Work(given, counted, passed, failed, distances, seconds.get(annotator))
    return found


def _checks(scale: Scale, answered: "QuerySet[Assignment]") -> dict[int, tuple[int, int, tuple[int, ...]]]:
    """By annotator: attention checks passed and failed, and gold answers by their distance from the reference."""
    rows = (
        answered.filter(item__kind__in=CHECKS)
        .values_list("annotator", "item__kind", "item__reference", "judgment__answer")
        .annotate(count=Count("pk"))
    )
    passed, failed = Counter[int](), Counter[int]()
    gold: dict[int, list[int]] = defaultdict(lambda: [0] * (scale.greatest_distance + 1))
    for annotator, kind, reference, answer, count in rows:
        assert reference is not None  # the database holds checks to it
        if kind == Item.Kind.GOLD:
            gold[annotator][scale.distance(reference, answer)] += count
        else:
            (passed if reference == answer else failed)[annotator] += count
    return {who: (passed[who], failed[who], tuple(gold[who])) for who in {*passed, *failed, *gold}}


def _times(study: Study) -> Any:
    """The annotator and the milliseconds of every answer to a target that was timed, by annotator."""
    targets = Assignment.objects.filter(
        sitting__study=study, state__in=Assignment.ANSWERED, item__kind=Item.Kind.TARGET
    ).order_by()
    timed = targets.filter(judgment__response_ms__isnull=False).values_list("annotator", "judgment__response_ms")
    found = np.fromiter(timed.iterator(chunk_size=10_000), dtype=[("annotator", np.int64), ("took", np.int64)])
    found.sort(order="annotator")
    return found


def _seconds(found: Any) -> dict[int, float]:
    """By annotator, the median time to an answer."""
    who, starts = np.unique(found["annotator"], return_index=True)
    parts = np.split(found["took"], starts[1:]) if len(who) else []
    return {one: float(np.median(part)) / 1000 for one, part in zip(who.tolist(), parts, strict=True)}


def _sittings(study: Study) -> dict[int, tuple[int, int]]:
    rows = (
        Assignment.objects.filter(sitting__study=study)
        .order_by()
        .values_list("sitting")
        .annotate(
            answered=Count("pk", filter=Q(state__in=Assignment.ANSWERED)),
            offered=Count("pk", filter=~Q(state=State.RELEASED)),
        )
    )
    return {sitting: (answered, offered) for sitting, answered, offered in rows}
