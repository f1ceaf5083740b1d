"""Scores against ratings: where items lie, the larger the more, and the mean rating of each part with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from comparison.page.drawn.axis import Axis, spelled
from comparison.statistics.estimate import plain
from comparison.statistics.strengths.binned import Scatter
from corpus.errors import counted

# Pixels: the picture, and the lines of the highest and the lowest rating.
HEIGHT, TOP, BOTTOM = 250, 14.0, 236.0
# Radii of a cell with one item, and of the one with the most.
SMALL, LARGE = 1.9, 8.0
# A scale with more points has a line for every second, or fewer.
MOST_LINES = 7
# Room at both ends, as a share of the scores' range, so that no mark is cut.
MARGIN = 0.04


@dataclass(frozen=True, slots=True)
class Mark:
    """A cell: `at` in per cent, the rest in pixels."""

    at: str
    y: str
    radius: str
    said: str


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean rating of a part; `low` and `high` are empty without an interval."""

    at: str
    y: str
    low: str
    high: str
    said: str


@dataclass(frozen=True, slots=True)
class RatingLine:
    y: str
    words: str
    below: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterPlot:
    key: str
    name: str
    averaged: str
    said: str
    lines: tuple[RatingLine, ...]
    marks: tuple[Mark, ...]
    means: tuple[Mean, ...]
    ticks: tuple[tuple[str, str], ...]
    sentence: str

    @property
    def height(self) -> int:
        return HEIGHT


def scatter_plot(
    scatter: Scatter, *, key: str, name: str, ends: tuple[float, float], words: Sequence[str], rated: str, averaged: str
) -> ScatterPlot:
    """`ends` are the least and the most that a rating can be, `words` those of the scale's points, if it has some.

    `rated` says what scores are compared with, `averaged` what a mean of it is called.
    """
    room = (scatter.high - scatter.low) * MARGIN
    across, up = Axis(scatter.low - room, scatter.high + room), Axis(*ends)
    most = max(cell.items for cell in scatter.cells)

    def y(rating: float) -> str:
        return f"{BOTTOM - (BOTTOM - TOP) * up.share(rating):.1f}"

    return ScatterPlot(
        key=key,
        name=name,
        averaged=averaged,
        said=f"Score of {name} and {rated}: rank correlation {scatter.rho}",
        lines=tuple(RatingLine(y(at), text, f"{float(y(at)) - 4:.1f}") for at, text in _lines(ends, words)),
        marks=tuple(
            Mark(
                across.at(cell.score),
                y(cell.rating),
                f"{SMALL + (LARGE - SMALL) * (math.sqrt(cell.items) - 1) / max(math.sqrt(most) - 1, 1):.1f}",
                counted(cell.items, "item"),
            )
            for cell in scatter.cells
        ),
        means=tuple(
            Mean(
                across.at(one.score),
                y(one.rating.value or 0.0),
                "" if one.rating.low is None else y(one.rating.low),
                "" if one.rating.high is None else y(one.rating.high),
                f"{averaged} {one.rating} at a mean score of {plain(one.score, decimals=2)}",
            )
            for one in scatter.tenths
        ),
        ticks=tuple((spelled(across.share(at)), plain(at, decimals=decimals)) for at, decimals in _ticks(scatter)),
        sentence=_sentence(scatter, averaged.removeprefix("mean ")),
    )


def _lines(ends: tuple[float, float], words: Sequence[str]) -> list[tuple[float, str]]:
    """
    >>> _lines((1.0, 3.0), ["no", "so", "yes"]), _lines((0.0, 1.0), [])
    ([(1.0, '1 no'), (2.0, '2 so'), (3.0, '3 yes')], [(0.0, '0'), (0.5, '.5'), (1.0, '1')])
    """
    if not words:
        middle = (ends[0] + ends[1]) / 2
        return [(at, plain(at, decimals=1).removesuffix(".0") or "0") for at in (ends[0], middle, ends[1])]
    step = math.ceil(len(words) / MOST_LINES)
    # A rating's words begin with its number.
    labeled = [
        (float(place), word if word.split(" ")[0] == str(place) else f"{place} {word}")
        for place, word in enumerate(words, 1)
    ]
    return labeled[::step]


def _ticks(scatter: Scatter) -> list[tuple[float, int]]:
    """Round scores, four to seven of them, each with how many decimals it takes."""
    span = (scatter.high - scatter.low) or 1.0
    power = math.floor(math.log10(span))
    step = next(
        (base * 10.0**power for base in (0.1, 0.2, 0.5, 1, 2, 5) if span / (base * 10.0**power) <= MOST_LINES), span
    )
    decimals = max(0, -math.floor(math.log10(step)))
    first, last = math.ceil(scatter.low / step), math.floor(scatter.high / step)
    return [(place * step, decimals) for place in range(first, last + 1)]


def _sentence(scatter: Scatter, what: str) -> str:
    """What the correlation shows; nothing where its interval is missing."""
    rho = scatter.rho
    if rho.low is None or rho.high is None:
        return ""
    start = f"ρ = {rho.short}, n = {rho.n:,}: "
    if rho.low > 0:
        return start + f"a higher score goes with a higher {what}."
    return start + (f"a higher score goes with a lower {what}." if rho.high < 0 else "no relation is shown.")
