"""Annotators in rows: a heat map of every pair beside each one's agreement with the others."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import floor

from comparison.page.drawn.axis import Axis, Mark, Tick, spelled
from comparison.page.drawn.dots import TICK
from comparison.statistics.agreement.between_annotators import AT_AN_END, BetweenAnnotators
from comparison.statistics.estimate import Estimate, plain
from corpus.errors import counted

# The height of a row, and how far below its middle words stand.
ROW, BASE = 18, 4
# Pairs that share fewer items tell nothing of one another.
FEWEST = 10
STEPS = 10
# Of more annotators than these, cells have no room for a number.
NUMBERED = 10


@dataclass(frozen=True, slots=True)
class PairCell:
    """`level`, 0 to 10, is how dark it is; None where too few items are shared. `number` stands in its `middle`, where
    cells are wide enough.
    """

    at: str
    y: int
    level: int | None
    said: str
    number: str
    middle: str


@dataclass(frozen=True, slots=True)
class Reached:
    """One annotator beside the others: against their majority or, of ratings, by ρ with their mean."""

    name: str
    number: str
    middle: int
    mark: Mark | None
    is_outlier: bool

    @property
    def base(self) -> int:
        """Where its words stand."""
        return self.middle + BASE


@dataclass(frozen=True, slots=True)
class Left:
    """Those who have no row of their own: a strip of ticks."""

    count: int
    top: int
    ticks: tuple[str, ...]

    @property
    def base(self) -> int:
        return self.top + ROW // 2 + BASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """`low` is the pairs' agreement where color begins."""

    rows: tuple[Reached, ...]
    left: Left | None
    cells: tuple[PairCell, ...]
    cell_width: str
    low: float
    axis: Axis
    by_rho: bool
    average: str
    height: int
    said: str

    @property
    def foot(self) -> int:
        return self.height + 18

    @property
    def words(self) -> int:
        return self.height + 15

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """Three at most: on a phone the picture has half of the width."""
        ticks = self.axis.ticks
        return ticks if len(ticks) <= 3 else ticks[:: (len(ticks) - 1) // 2 or 1]

    @property
    def ends(self) -> tuple[str, str]:
        return _printed(self.low), "1"

    @property
    def has_blank(self) -> bool:
        return any(cell.level is None for cell in self.cells)


def between_picture(
    between: BetweenAnnotators,
    agreement_with_others: Sequence[tuple[str, Estimate]],
    average: Estimate | None,
    outliers: Collection[str],
) -> Between | None:
    """`average` is None of ρ, of which there is none; the picture, where fewer than two annotators can be compared."""
    size = len(between.shown)
    if size < 2:
        return None
    by_name = dict(agreement_with_others)
    reached = [by_name.pop(name) for name in between.shown]
    others = [one.value for one in by_name.values() if one.value is not None]
    # Those who are not shown stand between both ends.
    tops = [ROW * (place + (1 if others and place >= AT_AN_END else 0)) for place in range(size)]
    axis = Axis(_floor(min([*others, *(one.low or 0.0 for one in reached)])), 1.0)
    pairs = [between.pair(row, column).value for row, column in _lower(size) if between.shared[row][column] >= FEWEST]
    low = _floor(min((one for one in pairs if one is not None), default=0.5), step=0.5)
    placed = zip(between.shown, reached, tops, strict=True)
    return Between(
        rows=tuple(_reached(name, one, top, axis, is_outlier=name in outliers) for name, one, top in placed),
        left=_left(others, axis) if others else None,
        cells=tuple(_cells(between, tops, low)),
        cell_width=spelled(1 / size),
        low=low,
        axis=axis,
        average="" if average is None or average.value is None else axis.at(average.value),
        by_rho=bool(between.rhos),
        height=ROW * (size + bool(others)),
        said=f"from {reached[0].aligned[0]} ({between.shown[0]}) to {reached[-1].aligned[0]} ({between.shown[-1]})",
    )


def _reached(name: str, one: Estimate, top: int, axis: Axis, *, is_outlier: bool) -> Reached:
    mark = axis.mark(one, called=f"{name}, {counted(one.n, 'label')}")
    return Reached(name, one.aligned[0], top + ROW // 2, mark, is_outlier)


def _lower(size: int) -> Iterator[tuple[int, int]]:
    return ((row, column) for row in range(size) for column in range(row))


def _cells(between: BetweenAnnotators, tops: Sequence[int], low: float) -> Iterator[PairCell]:
    size = len(between.shown)
    for row, column in _lower(size):
        shared, value = between.shared[row][column], between.pair(row, column).value
        at, names = spelled(column / size), f"{between.shown[row]} and {between.shown[column]}"
        if shared < FEWEST or value is None:
            yield PairCell(at, tops[row], None, "", "", "")
            continue
        reached = plain(value, decimals=2)
        description = (
            f"ρ = {reached}, {shared:,} shared items" if between.rhos else f"{reached} of {shared:,} shared items"
        )
        number, middle = reached if size <= NUMBERED else "", spelled((column + 0.5) / size)
        yield PairCell(
            at, tops[row], round(STEPS * (value - low) / (1 - low)), f"{names}: {description}", number, middle
        )


def _left(values: Sequence[float], axis: Axis) -> Left:
    """Those at the same place are one tick."""
    places = sorted({round(axis.share(value) / TICK) for value in values})
    return Left(len(values), ROW * AT_AN_END, tuple(spelled(place * TICK) for place in places))


def _floor(value: float, *, step: float = 0.2) -> float:
    """The next round number below; a share is none below 0, and a correlation none below −1."""
    return max(-1.0, min(floor(value / step) * step, 1 - step))


def _printed(value: float) -> str:
    return "0" if value == 0 else plain(value, decimals=2)
