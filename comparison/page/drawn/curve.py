"""Power by the number of items: a line for each number of labels an item, and a dot where the study stands."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from comparison.statistics.estimate import plain
from comparison.statistics.planning.power import Plan, reaching
from corpus.errors import counted

# Pixels.
HEIGHT = 220
# Items at the ends of the axis, those that stand below it and in the table, and how many points a line has.
FIRST, LAST = 25, 3_200
ITEMS = (25, 50, 100, 200, 400, 800, 1_600, 3_200)
POINTS = 24
WANTED = 0.8
# Lines, as classes of figures.css: that of the study's own number of labels first.
LOOKS = ("curve-own", "curve-more", "curve-most")


@dataclass(frozen=True, slots=True)
class Line:
    """`path` runs from 0 to 100 both ways; `powers` are those of ITEMS."""

    look: str
    labels: int
    path: str
    powers: tuple[str, ...]

    @property
    def words(self) -> str:
        return f"{counted(self.labels, 'label')} per item"


@dataclass(frozen=True, slots=True)
class Tick:
    at: str
    words: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Level:
    y: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """`dot` is the place of the design that is asked for, if it has one: across in per cent, down in pixels."""

    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Level, ...]
    wanted_y: float
    dot: tuple[str, float] | None
    dot_said: str
    said: str

    @property
    def height(self) -> int:
        return HEIGHT

    @property
    def rows(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The same as numbers."""
        return tuple((items, tuple(line.powers[place] for line in self.lines)) for place, items in enumerate(ITEMS))


def numbers_of_labels(own: int) -> tuple[int, ...]:
    """The study's own, which makes a majority from two on, and two larger ones.

    >>> numbers_of_labels(1), numbers_of_labels(3)
    ((2, 3, 6), (3, 5, 9))
    """
    own = max(own, 2)
    return own, 2 * own - 1, 3 * own


def curve(assumed: Plan, *, items: int, labels: int) -> Curve:
    """Of the power that is planned for: to separate two models or, of one alone, to show that it beats chance."""
    kinds = numbers_of_labels(labels)
    lines = tuple(_line(assumed, kind, look) for kind, look in zip(kinds, LOOKS, strict=True))
    own = reaching(assumed, items, labels)
    power = "undefined" if own is None else plain(own, decimals=2)
    return Curve(
        lines=lines,
        ticks=tuple(_tick(one) for one in ITEMS),
        levels=tuple(Level(_y(one), plain(one, decimals=2)) for one in (0.25, 0.5, 0.75)),
        wanted_y=_y(WANTED),
        dot=None if own is None or not FIRST <= items <= LAST else (_at(items), _y(own)),
        dot_said=f"{counted(items, 'item')} × {labels}: power {power}",
        said=f"Power to {assumed.aim}, by items and labels; {counted(items, 'item')} × {labels}: {power}",
    )


def _line(assumed: Plan, labels: int, look: str) -> Line:
    step = (LAST / FIRST) ** (1 / (POINTS - 1))
    points = [(round(FIRST * step**place), labels) for place in range(POINTS)]
    powers = [(items, reaching(assumed, items, labels)) for items, _ in points]
    path = " L".join(f"{100 * _x(items):.1f},{100 - 100 * one:.1f}" for items, one in powers if one is not None)
    of_items = (reaching(assumed, items, labels) for items in ITEMS)
    return Line(look, labels, f"M{path}", tuple("–" if one is None else plain(one, decimals=2) for one in of_items))


def _x(items: float) -> float:
    return math.log(items / FIRST) / math.log(LAST / FIRST)


def _at(items: float) -> str:
    return f"{100 * _x(items):.2f}%"


def _y(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)


def _tick(items: int) -> Tick:
    return Tick(_at(items), f"{items:,}", "start" if items == FIRST else "end" if items == LAST else "middle")


def rows_of(assumed: Plan, kinds: Sequence[int]) -> list[tuple[int, int, float | None, float | None]]:
    """For a file: items, labels, the power to beat chance (of ratings, 0) and that to separate two models."""
    powers = [assumed.power(items=items, labels=labels) for labels in kinds for items in ITEMS]
    return [(one.items, one.labels, one.above, one.apart) for one in powers]
