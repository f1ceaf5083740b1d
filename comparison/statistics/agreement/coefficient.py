"""What coefficients of agreement share: each is a function of sums over items, of what an item's counts add.

So one description of a coefficient gives its value, its interval by drawing items anew (here) and its interval by
leaving annotators out (raters.py), for items one by one and for patterns of items with a weight.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

NO_PAIRS = "no item has two labels yet"
ONE_LABEL = "only one label was used"
# Room for the code of a row of counts in 64 bits.
MOST_CODES = 2**62


@dataclass(frozen=True, slots=True)
class Coefficient:
    """`parts`: counts (items, values) to what each item adds, (items, m); `of_sums`: sums (draws, m) to (draws,).

    `of_sums` is NaN where the coefficient is undefined, and `why_not` says why that is so of all items. Items with one
    label are given to `parts` where `with_lone` is set; items without any never are.
    """

    parts: Callable[[Ints], Floats]
    of_sums: Callable[[Floats], Floats]
    why_not: str = ONE_LABEL
    with_lone: bool = False

    @property
    def fewest(self) -> int:
        """Labels that an item needs to add anything."""
        return 1 if self.with_lone else 2

    def value(self, sums: Floats) -> float:
        """Of one row of sums, shape (m,)."""
        return float(self.of_sums(sums[None])[0])


def over_items(coefficient: Coefficient, counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The coefficient of counts (items, values) with an interval by drawing items anew. n is items with two labels.

    The share of items whose two labels are the same:

    >>> same = Coefficient(lambda c: np.column_stack([c.max(axis=1) == 2, c.sum(axis=1) == 2]) * 1.0,
    ...                    lambda sums: sums[:, 0] / sums[:, 1])
    >>> str(over_items(same, np.array([[2, 0], [2, 0], [1, 1], [0, 2]])))
    '.8 [.3, 1.0], n = 4'
    """
    counts, sample = patterns(np.asarray(counts, dtype=np.int64), sample)
    totals = counts.sum(axis=1)
    n = sample.size(totals >= 2)
    if not n:
        return Estimate.none(NO_PAIRS)
    used = totals >= coefficient.fewest
    parts, own = coefficient.parts(counts[used]), sample.where(used)
    value = coefficient.value(own.sums(parts))
    if not np.isfinite(value):
        return Estimate.none(coefficient.why_not, n=n)
    note = lone_note(sample.size(totals == 1)) if coefficient.with_lone else ""
    return estimate(value, parts, coefficient.of_sums, n=n, note=note, sample=own)


def lone_note(lone: int) -> str:
    if not lone:
        return ""
    items = "item with one label says" if lone == 1 else "items with one label say"
    return f"{lone:,} {items} how often labels are used, and nothing on agreement"


def patterns(counts: Ints, sample: Sample) -> tuple[Ints, Sample]:
    """Each distinct row of counts once, with how many items it is; as it was where items have clusters.

    >>> rows, found = patterns(np.array([[2, 0], [1, 1], [2, 0]]), ITEMS)
    >>> rows.tolist(), found.weights.tolist()
    ([[1, 1], [2, 0]], [1, 2])
    """
    if sample.clusters is not None or not counts.size:
        return counts, sample
    place, rows = distinct_rows(counts)
    weights = np.bincount(place, weights=sample.weights, minlength=len(rows)).astype(np.int64)
    return rows, Sample(weights=weights)


def distinct_rows(counts: Ints) -> tuple[Ints, Ints]:
    """The place of each row among the distinct rows, and those.

    >>> place, rows = distinct_rows(np.array([[2, 0], [1, 1], [2, 0]]))
    >>> place.tolist(), rows.tolist()
    ([1, 0, 1], [[1, 1], [2, 0]])
    """
    base = int(counts.max(initial=0)) + 1
    if base ** counts.shape[1] > MOST_CODES:
        rows, place = np.unique(counts, axis=0, return_inverse=True)
        return place.ravel(), rows
    # One number a row, which sorts as the row does: many times faster than comparing rows.
    digits = base ** np.arange(counts.shape[1], dtype=np.int64)[::-1]
    _, first, place = np.unique(counts @ digits, return_index=True, return_inverse=True)
    return place, counts[first]
