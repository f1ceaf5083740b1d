"""Labels by day, for a small chart and the table beside it."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Q
from django.db.models.functions import TruncDate

from annotation.models import CANNOT_JUDGE, Assignment, Item, Judgment, Study

# More columns than this are too thin to point at.
MOST_DAYS = 60
COLUMN, GAP, HEIGHT = 16, 4, 64


@dataclass(frozen=True, slots=True)
class Day:
    """Labels on targets given on one day (UTC): all, and those that count now."""

    day: date
    labels: int
    counted: int


@dataclass(frozen=True, slots=True)
class Column:
    """A day's place in the chart; units are those of its view box, from the top."""

    day: Day
    x: int
    y: int
    height: int
    counted_y: int
    counted_height: int


@dataclass(frozen=True, slots=True)
class Collection:
    """Every day from the first label to the last, the latest MOST_DAYS of them; `earlier` labels came before."""

    days: tuple[Day, ...]
    earlier: int

    @property
    def columns(self) -> list[Column]:
        most = max((day.labels for day in self.days), default=0) or 1
        columns = []
        for place, day in enumerate(self.days):
            height, counted = (_height(count, most) for count in (day.labels, day.counted))
            columns.append(Column(day, place * (COLUMN + GAP), HEIGHT - height, height, HEIGHT - counted, counted))
        return columns

    @property
    def width(self) -> int:
        return max(1, len(self.days) * (COLUMN + GAP) - GAP)

    @property
    def height(self) -> int:
        return HEIGHT

    @property
    def newest_first(self) -> tuple[Day, ...]:
        return tuple(day for day in reversed(self.days) if day.labels)


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
    earlier = sum(day.labels for day in found.values() if day.day < start)
    return Collection(tuple(found.get(day, Day(day, 0, 0)) for day in every), earlier)


def _height(count: int, most: int) -> int:
    """At least 2 where there is anything, so that a day with one label can be seen."""
    return max(2, round(HEIGHT * count / most)) if count else 0
