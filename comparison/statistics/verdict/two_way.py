"""Figures of people's labels with intervals over items and people.

A figure is linearized, and the variances over items (or their groups) and over people are added, less that over single
labels, which is in both (Cameron, Gelbach and Miller 2011, Journal of Business & Economic Statistics 29: 238–249,
equation 2.12), with Student's t of the fewer of the two. Of a difference of two parts, each has its own small-sample
factor, and the fewest of either part count: a part of one item has no residual, and would add no variance.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample, cluster_sums
from comparison.statistics.verdict.evidence import Voices
from comparison.statistics.wilson import SAME_FOR_ALL

# A figure's slope is taken between sums that differ by this share of them.
STEP = 1e-5
NO_WIDTH = 1e-6


ONLY_ONE = "there is only one item"
ONE_GROUP = "all items are in one group"
ONE_ITEM_APART = "one value has only one item"
ONE_GROUP_APART = "the items of one value are in one group"
ONE_PERSON_APART = "only one annotator rated one of the values"

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What figures vary over: items or their groups, and people, where it is known who gave which label.

    `parts`: the rows on each side of a difference; empty where a figure is of all rows at once.
    """

    given: Floats
    used: Mask
    voices: Voices | None
    sample: Sample
    parts: tuple[Mask, ...] = ()

    @property
    def items(self) -> int:
        """In the smallest part."""
        return min(self._items(self.used & part) for part in self._parts)

    @property
    def has_people(self) -> bool:
        """One annotator says nothing of others."""
        return self._people(self.used) > 1

    @property
    def freedom(self) -> int:
        """The degrees of freedom; 0 where there is no interval, which `too_few` says why."""
        return (min(self.items, self._fewest_people) if self.has_people else self.items) - 1

    @property
    def too_few(self) -> str:
        if self.freedom > 0:
            return ""
        if self.items > 1:
            return ONE_PERSON_APART
        several = min(self.sample.size(self.used & part) for part in self._parts) > 1
        if self.parts:
            return ONE_GROUP_APART if several else ONE_ITEM_APART
        return ONE_GROUP if several else ONLY_ONE

    def sums(self, columns: Floats) -> Floats:
        """Over all labels, shape (m,)."""
        return self.sample.sums((self.given[:, :, None] * columns).sum(axis=1))

    def variances(self, slope: Floats) -> tuple[float, float]:
        """Over items, and what people add; `slope` (rows, values): what one label moves the figure."""
        own = ((self.given * slope).sum(axis=1) * self._factors(self._items))[self.used]
        sample = self.sample.where(self.used)
        if sample.clusters is None:
            over = sample.total(own**2)
        else:
            over = float((cluster_sums(own[:, None], sample.clusters) ** 2).sum())
        if self.voices is None or not self.has_people:
            return over, 0.0
        here = self.used[self.voices.rows]
        rows, raters = self.voices.rows[here], self.voices.raters[here]
        moved = slope[rows, self.voices.labels[here]]
        scaled = moved * self._factors(self._people)[rows]
        of_people = float((cluster_sums(scaled[:, None], raters) ** 2).sum())
        both = moved**2
        if self.sample.clusters is not None:
            keys = self.sample.clusters[rows] * (int(raters.max()) + 1) + raters
            both = cluster_sums(moved[:, None], keys)[:, 0] ** 2
        return over, max(of_people - float(both.sum()), 0.0)

    @property
    def _parts(self) -> tuple[Mask, ...]:
        return self.parts or (np.ones_like(self.used),)

    @property
    def _fewest_people(self) -> int:
        return min(self._people(self.used & part) for part in self._parts)

    def _items(self, rows: Mask) -> int:
        clusters = self.sample.clusters
        return self.sample.size(rows) if clusters is None else len(np.unique(clusters[rows]))

    def _people(self, rows: Mask) -> int:
        return 0 if self.voices is None else len(np.unique(self.voices.raters[rows[self.voices.rows]]))

    def _factors(self, count: Callable[[Mask], int]) -> Floats:
        """Of each row, the root of m / (m − 1) of its part."""
        found = np.ones(len(self.used))
        for part in self._parts:
            many = count(self.used & part)
            found[part] = (many / max(many - 1, 1)) ** 0.5
        return found


def linearized(of_sums: Callable[[Floats], Floats], columns: Floats, units: Units) -> tuple[float, Floats]:
    """A figure of sums over items, (draws, m) to (draws,), and what one label of each row and value moves it.

    `columns` (rows, values, m): what one label adds.
    """
    sums = units.sums(columns)
    step = STEP * max(float(np.abs(sums).sum()), 1.0)
    ends = np.vstack([sums + step * np.eye(len(sums)), sums - step * np.eye(len(sums))])
    found = of_sums(ends)
    slopes = (found[: len(sums)] - found[len(sums) :]) / (2 * step)
    # In whatever order its items are added up, 3 of 4 are printed alike.
    return round(float(of_sums(sums[None])[0]), 12), columns @ np.nan_to_num(slopes)


def interval(value: float, variance: float, units: Units, labels: int, note: str) -> Estimate:
    """Student's, with the degrees of freedom of the fewer of items and people.

    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> twelve = Units(np.ones((12, 2)), np.ones(12, dtype=bool), None, ITEMS)
    >>> print(interval(0.5, 0.01, twelve, 24, ""))
    .50 [.28, .72], n = 24
    """
    if units.too_few:
        return Estimate(value, n=labels, no_interval=units.too_few, note=note)
    half = float(tails.t_of(0.025, units.freedom)) * variance**0.5
    # Slopes are differences, right to about nine digits: no less is a width.
    if half < NO_WIDTH:
        return Estimate(value, n=labels, no_interval=SAME_FOR_ALL, note=note)
    return Estimate(value, value - half, value + half, n=labels, note=note)
