"""Figures of people's labels with intervals over items and people.

A figure is linearized, and the variances over items (or their groups) and over people are added, less that over single
labels, which is in both (Cameron, Gelbach and Miller 2011, Journal of Business & Economic Statistics 29: 238–249,
equation 2.12), with Student's t of the fewer of the two.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample, cluster_sums
from comparison.statistics.verdict.evidence import Voices

# A figure's slope is taken between sums that differ by this share of them.
STEP = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What figures vary over: items or their groups, and people, where it is known who gave which label."""

    given: Floats
    used: NDArray[np.bool_]
    voices: Voices | None
    sample: Sample

    @property
    def items(self) -> int:
        own = self.sample.where(self.used)
        return self.sample.size(self.used) if own.clusters is None else len(np.unique(own.clusters))

    @property
    def people(self) -> int:
        return 0 if self.voices is None else len(np.unique(self.voices.raters[self.used[self.voices.rows]]))

    def sums(self, columns: Floats) -> Floats:
        """Over all labels, shape (m,)."""
        return self.sample.sums((self.given[:, :, None] * columns).sum(axis=1))

    def variances(self, slope: Floats) -> tuple[float, float]:
        """Over items, and what people add; `slope` (rows, values): what one label moves the figure."""
        own = (self.given * slope).sum(axis=1)[self.used]
        sample, items = self.sample.where(self.used), self.items
        by_item = own**2 if sample.clusters is None else cluster_sums(own[:, None], sample.clusters)[:, 0] ** 2
        over = sample.total(by_item) if sample.clusters is None else float(by_item.sum())
        over *= items / max(items - 1, 1)
        if self.voices is None or self.people < 2:
            return over, 0.0
        here = self.used[self.voices.rows]
        rows, raters = self.voices.rows[here], self.voices.raters[here]
        moved = slope[rows, self.voices.labels[here]]
        of_people = float((cluster_sums(moved[:, None], raters) ** 2).sum()) * self.people / (self.people - 1)
        both = moved**2
        if self.sample.clusters is not None:
            keys = self.sample.clusters[rows] * (int(raters.max()) + 1) + raters
            both = cluster_sums(moved[:, None], keys)[:, 0] ** 2
        return over, max(of_people - float(both.sum()), 0.0)


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
    people, items = units.people, units.items
    if items < 2:
        several = units.sample.size(units.used) > 1
        reason = "all items are in one group" if several else "there is only one item"
        return Estimate(value, n=labels, no_interval=reason, note=note)
    half = float(t.ppf(0.975, (min(people, items) if people > 1 else items) - 1)) * variance**0.5
    if half < 1e-9:
        return Estimate(value, n=labels, no_interval="the value is the same for all items and people", note=note)
    return Estimate(value, value - half, value + half, n=labels, note=note)
