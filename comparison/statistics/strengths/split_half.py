"""How well people's mean labels would agree with those of as many other people: split halves, stepped up.

Each item's labels are dealt into two halves, whose means are correlated. A half has half of the item's labels;
what whole ones would reach is 2r / (1 + r) (Spearman 1910; Brown 1910). Deals differ by luck: many are meaned.
"""

from collections.abc import Callable

import numpy as np
from scipy.stats import rankdata

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.pairs import FEWEST, pairs
from comparison.statistics.strengths.pearson import pearson

SPLITS = 100
ALONE = f"fewer than {FEWEST} items have two labels"


def split_half(items: Ints, numbers: Floats, *, ranks: bool, sample: Sample = ITEMS) -> Estimate:
    """The stepped-up correlation of half with half; `items` has each label's item as a row of `sample`, or below 0.

    `ranks`: of the means' ranks (Spearman), else of the means (Pearson). The interval is Fisher's of the mean of all
    deals' correlations, with both ends stepped up as the value is.

    >>> items = np.repeat(np.arange(6), 4)
    >>> numbers = np.repeat([1.0, 2.0, 3.0, 4.0, 5.0, 5.0], 4) + np.tile([0.0, 0.5, -0.5, 0.0], 6)
    >>> print(split_half(items, numbers, ranks=False))
    .99 [.88, 1.00], n = 6
    """
    labeled = np.bincount(items[items >= 0])
    several = np.flatnonzero(labeled >= 2)
    if len(several) < FEWEST:
        return Estimate.none(ALONE, n=len(several))
    own = np.isin(items, several)
    rows, given = np.searchsorted(several, items[own]), numbers[own]
    rng = np.random.default_rng((SEED, len(given)))
    read: Callable[[Floats], Floats] = rankdata if ranks else _same
    halves = [_halves(rows, given, len(several), rng) for _ in range(SPLITS)]
    found = [_correlation(read(one), read(other)) for one, other in halves]
    if any(one is None for one in found):
        return Estimate.none("the means of a half are the same for every item", n=len(several))
    r = float(np.mean([one for one in found if one is not None]))
    typical = min(range(SPLITS), key=lambda place: abs((found[place] or 0.0) - r))
    clusters = None if sample.clusters is None else sample.clusters[several]
    one, other = (read(half) for half in halves[typical])
    beside = pearson(pairs(one, other), sample=Sample(clusters=clusters))
    return _stepped(r, beside, len(several), int(own.sum()))


def _same(numbers: Floats) -> Floats:
    return numbers


def _halves(rows: Ints, given: Floats, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Each item's labels in a random order, dealt in turn; of an odd number, either half may have more."""
    order = np.lexsort((rng.random(len(rows)), rows))
    sorted_rows = rows[order]
    begins = np.searchsorted(sorted_rows, np.arange(size))
    place = np.arange(len(rows)) - begins[sorted_rows]
    first = (place + rng.integers(2, size=size)[sorted_rows]) % 2 == 0
    means = []
    for half in (first, ~first):
        sums = np.bincount(sorted_rows[half], weights=given[order][half], minlength=size)
        means.append(sums / np.bincount(sorted_rows[half], minlength=size))
    return means[0], means[1]


def _correlation(one: Floats, other: Floats) -> float | None:
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def _stepped(r: float, beside: Estimate, n: int, labels: int) -> Estimate:
    note = f"half with half {r:.2f} on average of {SPLITS} deals of {labels:,} labels".replace("-", "−")
    if r <= 0:
        return Estimate.none(f"the halves do not go together ({note})", n=n)
    if beside.low is None or beside.high is None or beside.value is None:
        return Estimate(_up(r), n=n, no_interval=beside.no_interval or beside.undefined, note=note)
    # The interval of the deal that comes nearest to the mean, moved onto it.
    low, high = (
        float(np.tanh(np.arctanh(end) + np.arctanh(r) - np.arctanh(beside.value))) for end in (beside.low, beside.high)
    )
    return Estimate(_up(r), _up(low), _up(high), n=n, note=note)


def _up(r: float) -> float:
    return max(-1.0, 2 * r / (1 + r)) if r > -0.5 else -1.0
