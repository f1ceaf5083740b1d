"""The pictures of collecting: marks with positions along x in per cent and along y in pixels. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from comparison.page.drawn.histogram import Bar, Tick
from corpus.errors import counted
from researcher.collecting.totals import Collection, Day

# Pixels.
CURVE, COLUMNS = 128, 64
# Labels of days that stand below columns, at most.
TICKS = 10
# As many days as a picture has at least: one alone would be a bar as wide as the card.
LEAST_DAYS = 4


@dataclass(frozen=True, slots=True)
class Curve:
    """Labels that count over days. `path` and `ahead` run from 0 to 100 both ways; `at` is the last point."""

    path: str
    ahead: str
    at: tuple[float, float]
    target_y: float
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    counted: int
    target: int
    ends: tuple[date, ...]
    first: date
    last: date
    busiest: int

    @property
    def height(self) -> int:
        return CURVE


def curve(collection: Collection, *, target: int, ends: Sequence[date]) -> Curve | None:
    """None without a label. `ends`: when collecting is expected to end, then the earliest and the latest such day."""
    days = collection.days
    if not days:
        return None
    last = max([days[-1].day, *ends[:1]])
    first = min(days[0].day, last - timedelta(days=LEAST_DAYS - 1))
    span, before = (last - first).days + 1, (days[0].day - first).days
    width = 100 / span
    sums = [collection.counted_earlier]
    for day in days:
        sums.append(sums[-1] + day.counted)
    top = max(target, sums[-1], 1) * 1.08

    def point(place: float, labels: float) -> tuple[float, float]:
        return round(place * width, 2), round(100 - 100 * labels / top, 2)

    points = [point(before + place, labels) for place, labels in enumerate(sums)]
    if before:
        points.insert(0, point(0, sums[0]))
    end = point((ends[0] - first).days + 1, target) if ends and target > sums[-1] else None
    busiest = max(day.labels for day in days) or 1
    return Curve(
        path="M" + " L".join(f"{x},{y}" for x, y in points),
        ahead=f"M{points[-1][0]},{points[-1][1]} L{end[0]},{end[1]}" if end else "",
        at=(points[-1][0], round(points[-1][1] * CURVE / 100, 1)),
        target_y=round(CURVE * (1 - target / top), 1),
        bars=tuple(bar for place, day in enumerate(days, before) for bar in _day(day, place, width, busiest)),
        ticks=_days(first, span, width),
        counted=sums[-1],
        target=target,
        ends=tuple(ends),
        first=days[0].day,
        last=days[-1].day,
        busiest=busiest,
    )


def _day(day: Day, place: int, width: float, busiest: int) -> list[Bar]:
    """What counts, filled, and above it what does not."""
    x, wide = round((place + 0.18) * width, 2), round(0.64 * width, 2)
    every, valid = (max(2.0, round(COLUMNS * n / busiest, 1)) if n else 0.0 for n in (day.labels, day.counted))
    words = f"{day.day:%-d %b}: {counted(day.counted, 'valid label')}, {day.labels - day.counted:,} not counted"
    bars = [Bar("bar-people", x, wide, COLUMNS - valid, valid, words)] if valid else []
    if every > valid:
        bars.append(Bar("bar-none", x, wide, COLUMNS - every, every - valid, words))
    return bars


def _days(first: date, span: int, width: float) -> tuple[Tick, ...]:
    step = max(1, math.ceil(span / TICKS))
    found = [(place, first + timedelta(days=place)) for place in range(0, span, step)]
    # The month once, where it begins.
    told = [day.strftime("%-d %b") if place == 0 or day.day <= step else str(day.day) for place, day in found]
    return tuple(Tick(round((place + 0.5) * width, 2), words) for (place, _), words in zip(found, told, strict=True))


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a stacked bar, from `x` on, both in per cent."""

    kind: str
    x: float
    width: float
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Stack:
    """One bar whose parts add up to `total`."""

    shares: tuple[Share, ...]
    total: int

    @property
    def words(self) -> str:
        return ", ".join(f"{one.count:,} {one.name}" for one in self.shares)


def stack(kinds: tuple[int, int, int], items: int) -> Stack | None:
    """Items by how their annotators agree, and those that lack labels; None where no item has all of its labels."""
    if not sum(kinds):
        return None
    counts = (*kinds, items - sum(kinds))
    names = ("unanimous", "by majority", "no majority", "labels missing")
    shares, x = [], 0.0
    for kind, name, count in zip(("people", "mid", "none", "line"), names, counts, strict=True):
        width = 100 * count / items
        if count:
            shares.append(Share(f"bar-{kind}", round(x, 2), round(width, 2), name, count))
        x += width
    return Stack(tuple(shares), items)
