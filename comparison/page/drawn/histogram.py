"""How long answers took: columns on a log scale, with the median and the floor of the exclusion rules as rules."""

import math
from dataclasses import dataclass

from comparison.statistics.response_times import EDGES, Times

# Pixels.
BINS = 120
# Seconds that stand below a histogram.
SECONDS = (0.5, 1, 2, 5, 10, 20, 60)


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


def histogram(times: Times, *, floor_ms: int | None) -> Histogram:
    """`floor_ms`: below it an answer is too quick under the study's exclusion rules, if they say so."""
    most = max((one + other for one, other in zip(times.counted, times.excluded, strict=True)), default=0) or 1
    bars = []
    for place, (valid, excluded) in enumerate(zip(times.counted, times.excluded, strict=True)):
        low, high = _x(EDGES[place] / 1000), _x(EDGES[place + 1] / 1000)
        said = f"{EDGES[place] / 1000:.1f} to {EDGES[place + 1] / 1000:.1f} s: {valid:,} valid, {excluded:,} excluded"
        below, above = round(BINS * valid / most, 1), round(BINS * (valid + excluded) / most, 1)
        x, width = round(low + 0.2, 2), round(high - low - 0.4, 2)
        if below:
            bars.append(Bar("bar-people", x, width, BINS - below, below, said))
        if above > below:
            bars.append(Bar("bar-none", x, width, BINS - above, above - below, said))
    median = next(seconds for percent, seconds in times.quantiles if percent == 50)
    words = [f"{seconds:g} s" if seconds == SECONDS[0] else f"{seconds:g}" for seconds in SECONDS]
    floor = Tick(_x(floor_ms / 1000), f"floor {floor_ms / 1000:g} s") if floor_ms else None
    ticks = tuple(Tick(_x(seconds), word) for seconds, word in zip(SECONDS, words, strict=True))
    return Histogram(tuple(bars), ticks, Tick(_x(median), f"median {median:.1f} s"), floor)


def _x(seconds: float) -> float:
    low, high = math.log(EDGES[0]), math.log(EDGES[-1])
    return round(min(max(100 * (math.log(1000 * seconds) - low) / (high - low), 0.0), 100.0), 2)
