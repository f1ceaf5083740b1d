"""How long answers took: columns on a log scale, with the median and the floor of the exclusion rules as rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from comparison.statistics.response_times import EDGES, Times

# Pixels.
BINS = 120
# Per cent.
EDGE = 12
# Seconds that stand below a histogram.
SECONDS = (0.5, 1, 2, 5, 10, 20, 60)
# Milliseconds that an axis holds at least.
LEAST, MOST = 450, 11_000


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle: `x` and `width` in per cent, `y` and `height` in pixels."""

    kind: str
    x: float
    width: float
    y: float
    height: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """A word below an axis, at `x` per cent."""

    x: float
    words: str

    @property
    def anchor(self) -> str:
        """Which end of the word stands there: near an edge it would hang out of the picture."""
        return "start" if self.x < EDGE else "end" if self.x > 100 - EDGE else "middle"


@dataclass(frozen=True, slots=True)
class Histogram:
    """Response times on a log scale: what counts, and above it what excluded annotators gave."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    median: Tick
    floor: Tick | None

    @property
    def height(self) -> int:
        return BINS


@dataclass(frozen=True, slots=True)
class _Scale:
    """Milliseconds at both ends of the axis."""

    low: float
    high: float

    @classmethod
    def of(cls, used: Sequence[int], floor_ms: int | None) -> "_Scale":
        """From the first bin with an answer to the last, and what a reader compares them with."""
        filled = [place for place, answers in enumerate(used) if answers]
        low, high = (EDGES[filled[0]], EDGES[filled[-1] + 1]) if filled else (EDGES[0], EDGES[-1])
        return cls(max(EDGES[0], min(low, LEAST, floor_ms or LEAST)), max(high, MOST))

    def x(self, milliseconds: float) -> float:
        low, high = math.log(self.low), math.log(self.high)
        return round(min(max(100 * (math.log(milliseconds) - low) / (high - low), 0.0), 100.0), 2)


def histogram(times: Times, *, floor_ms: int | None) -> Histogram:
    """`floor_ms`: below it an answer is too quick under the study's exclusion rules, if they say so."""
    every = [one + other for one, other in zip(times.counted, times.excluded, strict=True)]
    scale, most = _Scale.of(every, floor_ms), max(every, default=0) or 1
    bars = []
    for place, (valid, both) in enumerate(zip(times.counted, every, strict=True)):
        if both:
            description = f"{_seconds(place)} to {_seconds(place + 1)} s: {valid:,} valid, {both - valid:,} excluded"
            below, above = round(BINS * valid / most, 1), round(BINS * both / most, 1)
            low = scale.x(EDGES[place])
            x, width = round(low + 0.2, 2), round(scale.x(EDGES[place + 1]) - low - 0.4, 2)
            if below:
                bars.append(Bar("bar-people", x, width, BINS - below, below, description))
            if above > below:
                bars.append(Bar("bar-none", x, width, BINS - above, above - below, description))
    median = next(seconds for percent, seconds in times.quantiles if percent == 50)
    floor = Tick(scale.x(floor_ms), f"floor {floor_ms / 1000:g} s") if floor_ms else None
    return Histogram(tuple(bars), _ticks(scale), Tick(scale.x(1000 * median), f"median {median:.1f} s"), floor)


def _ticks(scale: _Scale) -> tuple[Tick, ...]:
    inside = [one for one in SECONDS if scale.low <= 1000 * one <= scale.high]
    return tuple(Tick(scale.x(1000 * one), f"{one:g}" if place else f"{one:g} s") for place, one in enumerate(inside))


def _seconds(place: int) -> str:
    return f"{EDGES[place] / 1000:.1f}"
