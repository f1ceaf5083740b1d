"""What has been given to a study, in sums: by annotator, by day. Cost grows with every answer there is."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from django.db.models import Count, F, Q
from django.db.models.functions import TruncDate
from pydantic import TypeAdapter

from annotation.models import CANNOT_JUDGE, Assignment, Item, Judgment, Study
from annotation.paying.lines import took
from annotation.paying.queue import ChecksGiven, checks_given
from annotation.quality.reading_time import ENOUGH_ANSWERS, least_seconds
from comparison.frame.cache.computing import WorkerTask
from comparison.frame.response_times import Timed, read_timed
from comparison.statistics.response_times import Times, by_annotator, times_of
from researcher.collecting.outlook import Outlook, read_outlook

# More columns than this are too thin to point at.
MOST_DAYS = 60

State = Assignment.State


@dataclass(frozen=True, slots=True)
class Day:
    """Labels on targets given on one day (UTC): all, and those that count now."""

    day: date
    labels: int
    counted: int


@dataclass(frozen=True, slots=True)
class Collection:
    """Every day from the first label to the last, the latest MOST_DAYS of them; `earlier` labels came before, of which
    `counted_earlier` count.
    """

    days: tuple[Day, ...]
    earlier: int
    counted_earlier: int = 0


def read_collection(study: Study) -> Collection:
    """One query: a row a day with labels."""
    labels = Judgment.objects.filter(assignment__sitting__study=study, assignment__item__kind=Item.Kind.TARGET)
    labels = labels.exclude(answer=CANNOT_JUDGE)
    counted = Q(assignment__state=Assignment.State.COUNTED)
    rows = (
        labels.annotate(day=TruncDate("answered_at"))
        .values("day")
        .order_by("day")
        .annotate(labels=Count("pk"), counted=Count("pk", filter=counted))
    )
    found = {row["day"]: Day(row["day"], row["labels"], row["counted"]) for row in rows}
    if not found:
        return Collection((), 0)
    first, last = min(found), max(found)
    start = max(first, last - timedelta(days=MOST_DAYS - 1))
    every = (start + timedelta(days=place) for place in range((last - start).days + 1))
    before = [day for day in found.values() if day.day < start]
    earlier, counted_earlier = sum(day.labels for day in before), sum(day.counted for day in before)
    return Collection(tuple(found.get(day, Day(day, 0, 0)) for day in every), earlier, counted_earlier)


@dataclass(frozen=True, slots=True)
class Work:
    """One annotator's. `labels` are those on targets; `counted` of them count; `used`: how often each label of the
    scale, in its order. `distances`: gold answers by steps from the reference.

    Seconds are the median, None where unmeasured; `pace` then those of whole batches, by answer.
    """

    labels: int = 0
    counted: int = 0
    passed: int = 0
    failed: int = 0
    distances: tuple[int, ...] = ()
    seconds: float | None = None
    used: tuple[int, ...] = ()
    pace: float | None = None

    def is_faster_than(self, least_seconds: float) -> bool:
        took = self.pace if self.seconds is None else self.seconds
        return self.labels >= ENOUGH_ANSWERS and took is not None and took < least_seconds


@dataclass(frozen=True, slots=True)
class Collected:
    """By annotator; labels by day; what that says of what is to come. No one reads an item in under `least_seconds`."""

    work: dict[int, Work]
    collection: Collection
    outlook: Outlook | None = None
    times: Times | None = None
    least_seconds: float = 0.0

    @property
    def hasty(self) -> frozenset[int]:
        """Annotators who answered at least half of their items sooner than these can be read."""
        return frozenset(pk for pk, one in self.work.items() if one.is_faster_than(self.least_seconds))


GIVEN = TypeAdapter(Collected)
SUM_UP = WorkerTask(name="answers given")


def cache_key_parts(version: str) -> list[object]:
    """What it is remembered by."""
    return ["given, with the pace of whole batches", version]


def read_collected(study: Study) -> Collected:
    """Ten queries, grouped in the database but for the times, whose median no database of ours knows."""
    timed = read_timed(study)
    return Collected(
        _work(study, _seconds(timed)),
        read_collection(study),
        read_outlook(study),
        times_of(timed.annotators, timed.took, timed.excluded),
        least_seconds(study),
    )


def _work(study: Study, seconds: dict[int, float]) -> dict[int, Work]:
    answered = Assignment.objects.filter(sitting__study=study, state__in=Assignment.ANSWERED).order_by()
    targets = answered.filter(item__kind=Item.Kind.TARGET)
    sums = targets.values("annotator", answer=F("judgment__answer")).annotate(
        labels=Count("pk"), counted=Count("pk", filter=Q(state=State.COUNTED))
    )
    labels: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
    for row in sums:
        labels[row["annotator"]][row["answer"]] = row["labels"], row["counted"]
    checks = checks_given(study.task.scale, Assignment.objects.filter(sitting__study=study).held_against())
    everyone = labels.keys() | checks.keys()
    pace = _pace(study, everyone - seconds.keys())
    found = {}
    for annotator in everyone:
        by_answer = labels.get(annotator, {})
        given, counted = (sum(column) for column in zip(*by_answer.values(), strict=True)) if by_answer else (0, 0)
        used = tuple(by_answer.get(value, (0, 0))[0] for value in study.task.scale.values)
        own = checks.get(annotator, ChecksGiven())
        took = seconds.get(annotator)
        found[annotator] = Work(given, counted, own.passed, own.failed, own.distances, took, used, pace.get(annotator))
    return found


def _pace(study: Study, unmeasured: set[int]) -> dict[int, float]:
    """Seconds by answer over the batches of those whose browsers measure none; none of labels from elsewhere."""
    if not unmeasured:
        return {}
    behind = Assignment.objects.filter(sitting__study=study, sitting__source=None, state__in=Assignment.BEHIND)
    answers = dict(behind.order_by().values_list("sitting").annotate(Count("pk")))
    found: dict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for sitting in study.sittings.filter(source=None):
        if sitting.annotator_id in unmeasured and (time := took(sitting)) is not None:
            seconds, count = found[sitting.annotator_id]
            found[sitting.annotator_id] = seconds + time.total_seconds(), count + answers.get(sitting.pk, 0)
    return {annotator: seconds / count for annotator, (seconds, count) in found.items() if count}


def _seconds(timed: Timed) -> dict[int, float]:
    """By annotator, the median time to an answer."""
    return {one: float(np.median(part)) / 1000 for one, part in by_annotator(timed.annotators, timed.took)}
