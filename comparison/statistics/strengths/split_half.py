"""How well people's mean labels would agree with those of as many other people: split halves, stepped up.

Each item's labels are dealt into two halves, whose means are correlated. A half has half of the item's labels;
what whole ones would reach is 2r / (1 + r) (Spearman 1910; Brown 1910). Deals differ by luck: many are meaned, of many
items fewer, since luck evens out over items as over deals.
"""

import numpy as np
import scipy as sp

from comparison.statistics.agreement.alpha import spearman_brown
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import FEWEST, pairs, pearson

SPLITS, FEWEST_SPLITS = 100, 5
# So many items are dealt in all: up to 10,000 of them every time.
DEALT = 1_000_000
ALONE = f"fewer than {FEWEST} items have two labels"


def split_half(items: Ints, numbers: Floats, *, sample: Sample = ITEMS) -> tuple[Estimate, Estimate]:
    """The stepped-up correlation of half with half, of the means' ranks (Spearman) and of the means (Pearson).

    `items` has each label's item as a row of `sample`, or below 0. The interval is Fisher's of the mean of all deals'
    correlations, with both ends stepped up as the value is.

    >>> items = np.repeat(np.arange(6), 4)
    >>> numbers = np.repeat([1.0, 2.0, 3.0, 4.0, 5.0, 5.0], 4) + np.tile([0.0, 0.5, -0.5, 0.0], 6)
    >>> print(*split_half(items, numbers), sep="; ")
    .98 [.83, 1.00], n = 6; .99 [.88, 1.00], n = 6
    """
    labeled = np.bincount(items[items >= 0])
    several = np.flatnonzero(labeled >= 2)
    if len(several) < FEWEST:
        return Estimate.none(ALONE, n=len(several)), Estimate.none(ALONE, n=len(several))
    own = np.isin(items, several)
    rows, given = np.searchsorted(several, items[own]), numbers[own]
    rng = np.random.default_rng((SEED, len(given)))
    deals = int(np.clip(DEALT // len(several), FEWEST_SPLITS, SPLITS))
    halves = np.array([_halves(rows, given, len(several), rng) for _ in range(deals)])
    clusters = None if sample.clusters is None else sample.clusters[several]
    of_these, labels = Sample(clusters=clusters), int(own.sum())
    ranked = sp.stats.rankdata(halves, axis=-1)
    return _of_deals(ranked, labels, of_these), _of_deals(halves, labels, of_these)


def _of_deals(halves: Floats, labels: int, sample: Sample) -> Estimate:
    """`halves`: deals × 2 × items."""
    n = halves.shape[-1]
    if not np.ptp(halves, axis=-1).all():
        return Estimate.none("the means of one half are the same for every item", n=n)
    one, other = np.moveaxis(halves - halves.mean(axis=-1, keepdims=True), 1, 0)
    found = (one * other).sum(axis=-1) / np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    r = float(found.mean())
    typical = np.argmin(np.abs(found - r))
    beside = pearson(pairs(*halves[typical]), sample=sample)
    note = f"halves correlate {r:.2f}, mean of {len(halves)} random splits of {labels:,} labels".replace("-", "−")
    return _stepped(r, beside, n, note)


def _halves(rows: Ints, given: Floats, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Each item's labels in a random order, dealt in turn; of an odd number, either half may have more."""
    order = np.argsort(rows + rng.random(len(rows)))
    sorted_rows = rows[order]
    begins = np.searchsorted(sorted_rows, np.arange(size))
    place = np.arange(len(rows)) - begins[sorted_rows]
    first = (place + rng.integers(2, size=size)[sorted_rows]) % 2 == 0
    means = []
    for half in (first, ~first):
        sums = np.bincount(sorted_rows[half], weights=given[order][half], minlength=size)
        means.append(sums / np.bincount(sorted_rows[half], minlength=size))
    return means[0], means[1]


def _stepped(r: float, beside: Estimate, n: int, note: str) -> Estimate:
    if r <= 0:
        return Estimate.none(f"the halves do not correlate ({note})", n=n)
    if beside.low is None or beside.high is None or beside.value is None:
        return Estimate(_up(r), n=n, no_interval=beside.no_interval or beside.undefined, note=note)
    # The interval of the deal that comes nearest to the mean, moved onto it.
    low, high = (
        float(np.tanh(np.arctanh(end) + np.arctanh(r) - np.arctanh(beside.value))) for end in (beside.low, beside.high)
    )
    return Estimate(_up(r), _up(low), _up(high), n=n, note=note)


def _up(r: float) -> float:
    return max(-1.0, spearman_brown(r, 2)) if r > -0.5 else -1.0
