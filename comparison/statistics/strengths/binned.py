"""Scores beside ratings, item by item: how many items lie where, and the mean rating of each tenth of the scores."""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import mean
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import pairs, spearman

# Cells along the scores and along the ratings: so many marks are what a small picture has room for.
ACROSS, UP = 34, 21
TENTHS = 10
# A part of the items with fewer has no mean worth an interval.
FEWEST_OF_PART = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """How many items lie around this score and rating."""

    score: float
    rating: float
    items: int


@dataclass(frozen=True, slots=True)
class Tenth:
    """A tenth of the items by their scores: the mean of both, the rating's with an interval over items."""

    score: float
    rating: Estimate


@dataclass(frozen=True, slots=True)
class Scatter:
    """`low` and `high` are the ends of the scores, `ends` the least and the most that a rating can be; `rho` is of the
    items themselves, not of cells.
    """

    low: float
    high: float
    ends: tuple[float, float]
    cells: tuple[Cell, ...]
    tenths: tuple[Tenth, ...]
    rho: Estimate


def scatter(scores: Floats, ratings: Floats, *, ends: tuple[float, float], sample: Sample = ITEMS) -> Scatter | None:
    """Both of shape (items,), NaN where an item has none; `ends` are the least and the most that a rating can be.

    None where too few items have both, or one of the two is the same for all.

    >>> found = scatter(np.arange(40.0), np.arange(40.0) % 4 + 1, ends=(1.0, 4.0))
    >>> found.low, found.high, sum(cell.items for cell in found.cells), len(found.tenths)
    (0.0, 39.0, 40, 5)
    """
    both = pairs(scores, ratings)
    if both.undefined:
        return None
    low, high = float(both.one.min()), float(both.one.max())
    return Scatter(
        low,
        high,
        ends,
        tuple(_cells(both.one, both.other, (low, high), ends)),
        tuple(_tenths(both.one, both.other, both.of(sample))),
        spearman(scores, ratings, sample=sample),
    )


def _cells(scores: Floats, ratings: Floats, across: tuple[float, float], up: tuple[float, float]) -> list[Cell]:
    rows = [_places(one, ends, cells) for one, ends, cells in ((scores, across, ACROSS), (ratings, up, UP))]
    found, items = np.unique(np.column_stack(rows), axis=0, return_counts=True)
    middles = [
        ends[0] + (ends[1] - ends[0]) * found[:, place] / (cells - 1)
        for place, ends, cells in ((0, across, ACROSS), (1, up, UP))
    ]
    return [Cell(x, y, n) for x, y, n in zip(*(one.tolist() for one in middles), items.tolist(), strict=True)]


def _places(values: Floats, ends: tuple[float, float], cells: int) -> Floats:
    return np.rint((values - ends[0]) / (ends[1] - ends[0]) * (cells - 1))


def _tenths(scores: Floats, ratings: Floats, sample: Sample) -> list[Tenth]:
    parts = min(TENTHS, len(scores) // FEWEST_OF_PART)
    if parts < 2:
        return []
    order = np.argsort(scores, kind="stable")
    found = []
    for part in np.array_split(order, parts):
        here = np.zeros(len(scores), dtype=bool)
        here[part] = True
        found.append(Tenth(float(scores[here].mean()), mean(ratings[here], sample=sample.where(here))))
    return found
