"""How long answers took, and which floors of exclusion rules would follow. Pure."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import scipy as sp

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate, percent
from corpus.errors import counted

QUANTILES = (0.01, 0.05, 0.25, 0.50, 0.75, 0.95)
# Below these parts of the median, reading is unlikely: a convention of ours, to be looked at beside the quantiles.
OF_ITEM, OF_SITTING = 0.3, 0.4
# Floors are told in tenths of a second: no pilot says more.
STEP = 100
ENOUGH_ANSWERS, ENOUGH_PEOPLE = 100, 5
# Milliseconds between the bins of the histogram, on a log scale from a fifth of a second to two minutes.
EDGES = tuple(float(edge) for edge in np.geomspace(200, 120_000, 29))


@dataclass(frozen=True, slots=True)
class Times:
    """Quantiles in milliseconds; floors are None where there are too few answers or annotators."""

    answers: int
    annotators: int
    quantiles: tuple[tuple[int, float], ...]
    item_floor_ms: int | None
    sitting_floor_ms: int | None
    below_item_floor: float
    # Answers by time, of annotators who count and of those who are excluded: EDGES has the times between the bins.
    counted: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        return f"{counted(self.answers, 'timed answer')} by {counted(self.annotators, 'annotator')}"

    @property
    def percent_below(self) -> str:
        return percent(self.below_item_floor)

    @property
    def why_no_floor(self) -> str:
        return (
            ""
            if self.item_floor_ms
            else f"A minimum time is suggested from {ENOUGH_ANSWERS} timed answers by {ENOUGH_PEOPLE} annotators."
        )


def times_of(annotators: Ints, took: Ints, excluded: Collection[int] = ()) -> Times | None:
    """Of timed answers, the annotator and the milliseconds of each; None without any. `excluded` are annotators.

    >>> found = times_of(np.repeat(np.arange(5), 20), np.full(100, 4000))
    >>> found.item_floor_ms, found.sitting_floor_ms
    (1200, 1600)
    """
    if not len(took):
        return None
    # Medians of annotators' medians: whoever answers much, or in no time, moves it little.
    medians = medians_of(annotators, took)
    middle = float(np.median(medians))
    enough = len(took) >= ENOUGH_ANSWERS and len(medians) >= ENOUGH_PEOPLE
    floor = _floor(OF_ITEM * middle)
    quantiles = zip(QUANTILES, np.quantile(took, QUANTILES), strict=True)
    out = np.isin(annotators, list(excluded))
    return Times(
        answers=len(took),
        annotators=len(medians),
        quantiles=tuple((round(100 * share), float(value) / 1000) for share, value in quantiles),
        item_floor_ms=floor if enough else None,
        sitting_floor_ms=_floor(OF_SITTING * middle) if enough else None,
        below_item_floor=float((took < floor).mean()),
        counted=binned(took[~out]),
        excluded=binned(took[out]),
    )


def by_annotator(annotators: Ints, took: Ints) -> Iterator[tuple[int, Ints]]:
    """Each annotator with the milliseconds of their answers, in order."""
    order = np.argsort(annotators, kind="stable")
    who, starts = np.unique(annotators[order], return_index=True)
    yield from zip(who.tolist(), np.split(took[order], starts[1:]), strict=False)


def medians_of(annotators: Ints, took: Ints) -> Floats:
    """The median of each annotator's, in milliseconds."""
    return np.array([np.median(part) for _, part in by_annotator(annotators, took)], dtype=np.float64)


def median(values: Floats, *, unit: str, reason: str) -> Estimate:
    """The median with the interval between two of the values in order, whatever their distribution (David and Nagaraja
    2003, section 7.1).

    >>> str(median(np.arange(1.0, 11.0), unit="annotators", reason="nobody"))
    '5.5 [2.0, 9.0], n = 10'
    """
    n = len(values)
    if not n:
        return Estimate.none(reason, unit=unit)
    # The lowest rank below which the true median has more than 2.5 % of falling.
    middle, rank = float(np.median(values)), int(sp.stats.binom.ppf(0.025, n, 0.5))
    if not rank:
        return Estimate(middle, n=n, unit=unit, no_interval=f"needs six {unit}")
    ordered = np.sort(values)
    return Estimate(middle, float(ordered[rank - 1]), float(ordered[n - rank]), n=n, unit=unit)


def binned(took: Ints) -> tuple[int, ...]:
    """What lies outside is in the bin at the end."""
    counts, _ = np.histogram(np.clip(took, EDGES[0], EDGES[-1]), EDGES)
    return tuple(counts.tolist())


def _floor(milliseconds: float) -> int:
    return max(STEP, STEP * int(milliseconds // STEP))
