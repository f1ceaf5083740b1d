"""The mean rating of the items with each value of an attribute, and how far runs' scores follow ratings within it.

Every item weighs alike, however many ratings it has. Intervals of people's means, and of the difference of two values,
are over items (or their groups) and annotators (two_way.py), so that a difference within item sets, or within
annotators, is as sure as these make it. A value with one item, or with one of several annotators, shows none. Means of
published ratings have intervals over items.

Whether a run's ρ is the same for every value: the spread of Fisher's z about its weighted mean, against χ² (Hedges and
Olkin 1985, section 11.B), with the standard errors of correlation.py.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.accuracy.hits import share
from comparison.statistics.agreement.coded_labels import numbered
from comparison.statistics.chance import holm
from comparison.statistics.counts import WITHOUT, Floats, Ints, values_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import p_in_words
from comparison.statistics.resampling.bootstrap import mean
from comparison.statistics.resampling.sample import ITEMS, Sample, Z
from comparison.statistics.strengths.correlation import spearman
from comparison.statistics.strengths.split_half import split_half
from comparison.statistics.verdict.evidence import Voices
from comparison.statistics.verdict.two_way import Units, interval, linearized

Mask = NDArray[np.bool_]
# Of fewer items Fisher's z is no normal number.
FEWEST_TESTED = 10
# Values of which every two are tested.
MOST_VALUES = 12
# Means that lie nearer, of scores as a share of the largest, are the same but for the order of their sums.
SAME = 1e-9
TWO = 2
NO_P = "–"
NO_SETS = "no item set has both values, rated and scored differently"
NOT_RATED = "no item is rated"
NO_LABELS = "only of people’s ratings"
ITEMS_ALONE = "over items alone"
TOO_FEW_VALUES = f"fewer than two values with {FEWEST_TESTED} items"


@dataclass(frozen=True, slots=True)
class RatedValue:
    """The items that share one value: people's `ratings` (0 of published ones), their mean, and ρ of each run.

    `halves`: ρ of people's mean with that of as many others (split_half.py).
    """

    value: str
    items: int
    ratings: int
    mean: Estimate
    halves: Estimate
    runs: Mapping[str, Estimate]

    @property
    def address(self) -> str:
        """The value as a filter in the address, where an absent attribute is empty."""
        return "" if self.value == WITHOUT else self.value


@dataclass(frozen=True, slots=True)
class Gap:
    """By how much the first value's mean is above the other's; `held` is p after Holm's correction over all pairs."""

    value: str
    other: str
    found: Estimate
    p: float | None = None
    held: float | None = None

    @property
    def held_words(self) -> str:
        return NO_P if self.held is None else p_in_words(self.held)


@dataclass(frozen=True, slots=True)
class SameRho:
    """p that a run's ρ is the same for all `values`, held by Holm over the runs; `undefined` says why there is none."""

    run: str
    values: tuple[str, ...]
    statistic: float = 0.0
    p: float | None = None
    held: float | None = None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class SameOrder:
    """The share of the item sets with both values in which the run orders them as ratings do; n counts sets."""

    run: str
    found: Estimate


@dataclass(frozen=True, slots=True)
class RatedValues:
    """`ends`: the least and the most that a rating can be; `gaps` of every two values, `same_rho` of each run.

    `sets`: of two values, in how many item sets each run orders them as ratings do; empty without such sets.
    """

    ends: tuple[float, float]
    values: tuple[RatedValue, ...]
    gaps: tuple[Gap, ...]
    same_rho: tuple[SameRho, ...]
    sets: tuple[SameOrder, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ratings:
    """What is rated, item by item: `scores` are ratings (NaN where none), `runs` what each run gives of them.

    `counts` are people's labels, shape (items, labels), each worth its `points`, whose means `scores` are; None of
    published ratings. `ends`: the least and the most that a rating can be.
    """

    scores: Floats
    runs: Mapping[str, Floats]
    ends: tuple[float, float]
    points: Floats = field(default_factory=lambda: np.zeros(0))
    counts: Ints | None = None
    voices: Voices | None = None
    sample: Sample = ITEMS

    def where(self, here: Mask) -> "Ratings":
        return replace(
            self,
            scores=self.scores[here],
            runs={key: given[here] for key, given in self.runs.items()},
            counts=None if self.counts is None else self.counts[here],
            voices=self.voices.where(here) if self.voices else None,
            sample=self.sample.where(here),
        )


def mean_ratings(
    attribute: Iterable[str],
    given: Ratings,
    *,
    tested: Collection[str] = (),
    order: Sequence[str] = (),
    most: int | None = None,
) -> RatedValues:
    """One a value, in `order` or else the largest first, at most `most`; every two of the first values are compared.

    `tested`: the runs of which it is asked whether ρ is the same.

    >>> column, scores = ["good", "bad"] * 10, np.array([6.0, 2.0] * 10) + np.repeat([0.0, 0.5], 10)
    >>> found = mean_ratings(column, Ratings(scores=scores, runs={"a": scores % 2}, ends=(1, 7)))
    >>> [(one.value, one.items, one.mean.number) for one in found.values], str(found.gaps[0].found)
    ([('bad', 10, '2.25'), ('good', 10, '6.25')], '−4.0 [−4.3, −3.7], n = 20')
    """
    column, names = values_of(attribute, order=order, most=most)
    parts = {name: given.where(column == name) for name in names}
    values = tuple(_value(name, part) for name, part in parts.items())
    rated = [one for one in values if one.value != WITHOUT and one.mean.value is not None][:MOST_VALUES]
    gaps = [_gap(one.value, other.value, column, given) for one, other in combinations(rated, 2)]
    same = [_same_rho(key, rated) for key in given.runs if key in tested]
    held, also = _held([one.p for one in gaps]), _held([one.p for one in same])
    return RatedValues(
        given.ends,
        values,
        tuple(replace(one, held=p) for one, p in zip(gaps, held, strict=True)),
        tuple(replace(one, held=p) for one, p in zip(same, also, strict=True)),
        _sets(column, rated, given) if len(rated) == TWO else (),
    )


def _sets(column: NDArray[np.str_], rated: Sequence[RatedValue], given: Ratings) -> tuple[SameOrder, ...]:
    first, part = _two(rated[0].value, rated[1].value, column, given)
    return same_order(first, part.sample.clusters, part.scores, part.runs)


def _two(one: str, other: str, column: NDArray[np.str_], given: Ratings) -> tuple[Mask, Ratings]:
    """The items with either value, and which of them have the first."""
    first = column == one
    here = first | (column == other)
    return first[here], given.where(here)


def _held(every: Sequence[float | None]) -> list[float | None]:
    corrected = iter(holm([p for p in every if p is not None]))
    return [None if p is None else next(corrected) for p in every]


def _value(name: str, part: Ratings) -> RatedValue:
    voices = part.voices
    halves = Estimate.none(NO_LABELS)
    if voices is not None:
        halves, _ = split_half(voices.rows, part.points[voices.labels], sample=part.sample)
    return RatedValue(
        value=name,
        items=part.sample.size(np.ones(len(part.scores), dtype=bool)),
        ratings=0 if part.counts is None else int(part.counts.sum()),
        mean=_mean(part),
        halves=halves,
        runs={key: spearman(scores, part.scores, sample=part.sample) for key, scores in part.runs.items()},
    )


# --- Means, and differences of two ------------------------------------------------------------------


def _mean(part: Ratings) -> Estimate:
    rated = np.isfinite(part.scores)
    if not rated.any():
        return Estimate.none(NOT_RATED)
    if part.counts is None:
        return mean(part.scores[rated], sample=part.sample.where(rated)).within(*part.ends)
    value, variance, units = _over_both(part, ())
    found = interval(value, variance, units, int(part.counts.sum()), _over(units))
    return replace(found.within(*part.ends), unit="ratings")


def _gap(one: str, other: str, column: NDArray[np.str_], given: Ratings) -> Gap:
    """The variance is that of both values at once: what items of one group, or ratings of one annotator, share is
    taken off."""
    first, part = _two(one, other, column, given)
    rated, least = np.isfinite(part.scores), given.ends[0] - given.ends[1]
    if part.counts is None:
        value, variance, units = _of_scores(part.scores[rated], first[rated], part.sample.where(rated))
        n, unit, note = int(rated.sum()), "items", ""
    else:
        value, variance, units = _over_both(part, (first, ~first))
        n, unit, note = int(part.counts.sum()), "ratings", _over(units)
    found = replace(interval(value, variance, units, n, note).within(least, -least), unit=unit)
    if found.low is None:
        return Gap(one, other, found)
    return Gap(one, other, found, float(2 * tails.of_t(abs(value) / variance**0.5, units.freedom)))


def _of_scores(scores: Floats, first: Mask, sample: Sample) -> tuple[float, float, Units]:
    """The difference of two means of numbers, one an item, each as one rating."""
    parts = (first, ~first)
    units = Units(np.ones((len(scores), 1)), np.ones(len(scores), dtype=bool), None, sample, parts)
    sides = np.column_stack(parts).astype(np.float64)
    columns = np.concatenate([scores[:, None] * sides, sides], axis=1)[:, None, :]
    value, slope = linearized(_of_sides, columns, units)
    return value, sum(units.variances(slope)), units


def _over_both(part: Ratings, parts: tuple[Mask, ...]) -> tuple[float, float, Units]:
    """The mean of all items or, of two `parts` of them, the difference of their means."""
    assert part.counts is not None
    sides = np.column_stack(parts or (np.ones(len(part.scores)),)).astype(np.float64)
    totals = part.counts.sum(axis=1)
    weights = np.divide(1.0, totals, out=np.zeros(len(totals)), where=totals > 0)
    each = (weights[:, None] * sides)[:, None, :] * np.ones((1, len(part.points), 1))
    columns = np.concatenate([part.points[:, None] * each, each], axis=2)
    units = Units(part.counts.astype(np.float64), totals > 0, part.voices, part.sample, parts)
    value, slope = linearized(_of_sides, columns, units)
    return value, sum(units.variances(slope)), units


def _of_sides(sums: Floats) -> Floats:
    """Of sums of ratings and of items, a column a side."""
    means = sums[:, : sums.shape[1] // 2] / sums[:, sums.shape[1] // 2 :]
    return np.asarray(means[:, 0] - means[:, 1] if means.shape[1] == 2 else means[:, 0])


def _over(units: Units) -> str:
    """A single annotator says nothing of others."""
    return "" if units.has_people else ITEMS_ALONE


# --- ρ in every value -------------------------------------------------------------------------------


def _same_rho(key: str, values: Sequence[RatedValue]) -> SameRho:
    there = [(one.value, one.runs[key]) for one in values]
    known = [(name, rho) for name, rho in there if rho.low is not None and rho.n >= FEWEST_TESTED]
    if len(known) < 2:
        return SameRho(key, (), undefined=TOO_FEW_VALUES)
    z = np.array([math.atanh(rho.value or 0.0) for _, rho in known])
    reach = np.array([math.atanh(rho.value or 0.0) - math.atanh(rho.low or 0.0) for _, rho in known])
    weights = (Z / reach) ** 2
    statistic = float((weights * (z - (weights * z).sum() / weights.sum()) ** 2).sum())
    return SameRho(key, tuple(name for name, _ in known), statistic, float(sp.stats.chi2.sf(statistic, len(known) - 1)))


# --- Item sets --------------------------------------------------------------------------------------


def same_order(first: Mask, sets: Ints | None, scores: Floats, runs: Mapping[str, Floats]) -> tuple[SameOrder, ...]:
    """`first` is true of items with the first of two values. Of several items of one value in a set their mean counts;
    a set in which ratings or scores are the same is no evidence. Empty where no set has both values.

    >>> first, sets = np.array([True, False] * 3), np.array([0, 0, 1, 1, 2, 2])
    >>> run = np.array([2.0, 1.0, 3.0, 1.0, 0.0, 4.0])
    >>> [found] = same_order(first, sets, np.array([6.0, 2.0] * 3), {"owl": run})
    >>> found.found.number, found.found.n, found.found.unit
    ('.7', 3, 'item sets')
    """
    if sets is None:
        return ()
    names, place = numbered(sets)
    rated = _gaps(first, place, scores, len(names))
    if not np.isfinite(rated).any():
        return ()
    return tuple(
        SameOrder(key, _share(rated, _gaps(first, place, given, len(names)), most=_largest(given)))
        for key, given in runs.items()
    )


def _largest(given: Floats) -> float:
    return float(np.abs(given[np.isfinite(given)]).max(initial=0.0))


def _gaps(first: Mask, place: Ints, numbers: Floats, size: int) -> Floats:
    """Of each set, the mean of the first value less that of the other; NaN where it has not both."""
    means = []
    for side in (first, ~first):
        there = side & np.isfinite(numbers)
        many = np.bincount(place[there], minlength=size)
        sums = np.bincount(place[there], weights=numbers[there], minlength=size)
        means.append(np.divide(sums, many, out=np.full(size, np.nan), where=many > 0))
    return np.asarray(means[0] - means[1])


def _share(rated: Floats, scored: Floats, *, most: float) -> Estimate:
    told = (np.abs(rated) > SAME) & (np.abs(scored) > SAME * most)
    alike = int((np.sign(rated[told]) == np.sign(scored[told])).sum())
    found = share(alike, int(told.sum()), reason=NO_SETS)
    return Estimate(
        found.value, found.low, found.high, n=found.n, undefined=found.undefined, no_interval=found.no_interval,
        unit="item sets",
    )  # fmt: skip
