"""Cohen's κ for every two annotators who share items, averaged (Cohen 1960; the mean over pairs: Light 1971).

In a crowd most pairs share few items, so the mean weighs each pair by the items it shares. Where everyone
labeled everything this is Light's plain mean.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from comparison.statistics.agreement.coefficients import NO_PAIRS, ONE_LABEL
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import DRAWS, weights, with_interval

# A pair needs two shared items for κ to be anything but agreement by definition.
SHARED = 2
# Below this many shared items a pair, resampled κ says more about the draw than about the people.
SHARED_FOR_INTERVAL = 10


@dataclass(frozen=True, slots=True)
class Meetings:
    """Every two labels on one item: the row of the item, the pair, and what the two said."""

    item: Ints
    pair: Ints
    one: Ints
    other: Ints
    items: int
    pairs: int
    values: int


def pairwise_cohen(items: Ints, raters: Ints, labels: Ints, *, values: int) -> Estimate:
    """Mean pairwise Cohen's κ of labels one by one: item, rater and code. n is items with two labels or more.

    Two raters on four items, who differ on the last:

    >>> items, raters = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> found = pairwise_cohen(items, raters, np.array([0, 0, 0, 0, 1, 1, 1, 0]), values=2)
    >>> found.value, found.n, found.note
    (0.5, 4, '1 pair of annotators, 4.0 shared items each')
    """
    meetings = _meetings(items, raters, labels, values)
    if meetings is None:
        return Estimate.none(NO_PAIRS)
    blocks = _sparse_parts(meetings)
    kappas, shared = _kappas(np.ones((1, meetings.items)), blocks, meetings)
    enough = shared[0] >= SHARED
    if not enough.any():
        return Estimate.none(f"no two annotators share {SHARED} items", n=meetings.items)
    used = enough & np.isfinite(kappas[0])
    if not used.any():
        return Estimate.none(f"{ONE_LABEL} by every pair of annotators", n=meetings.items)
    value = float(np.average(kappas[0][used], weights=shared[0][used]))
    mean_shared = shared[0][used].mean()
    note = _note(int(used.sum()), int((~used).sum()), mean_shared)
    if mean_shared < SHARED_FOR_INTERVAL:
        reason = f"a pair shares {mean_shared:.1f} items on average; read Fleiss’ κ or α instead"
        return Estimate(value, n=meetings.items, no_interval=reason, note=note)
    return with_interval(value, _drawn(blocks, meetings), items=meetings.items, n=meetings.items, note=note)


def _note(used: int, left_out: int, mean_shared: float) -> str:
    note = f"{used:,} pair{'s' if used != 1 else ''} of annotators, {mean_shared:.1f} shared items each"
    pairs = "pair" if left_out == 1 else "pairs"
    return f"{note}; {left_out:,} {pairs} left out (too few items or one label only)" if left_out else note


def _meetings(items: Ints, raters: Ints, labels: Ints, values: int) -> Meetings | None:
    order = np.lexsort((raters, items))
    item, rater, label = items[order], raters[order], labels[order]
    one, other = _pairs_within(item)
    apart = rater[one] != rater[other]
    one, other = one[apart], other[apart]
    if not len(one):
        return None
    met, place = np.unique(item[one], return_inverse=True)
    pairs, pair = np.unique(rater[one] * (int(rater.max()) + 1) + rater[other], return_inverse=True)
    return Meetings(
        item=place,
        pair=pair,
        one=label[one],
        other=label[other],
        items=len(met),
        pairs=len(pairs),
        values=values,
    )


def _pairs_within(groups: Ints) -> tuple[Ints, Ints]:
    """Every two places that are in one group, the earlier first; equal groups stand together."""
    places = np.arange(len(groups))
    ends = np.searchsorted(groups, groups, side="right")
    # How many places of the same group are after each.
    later = ends - places - 1
    one = np.repeat(places, later)
    begins = np.cumsum(later) - later
    other = one + 1 + np.arange(len(one)) - np.repeat(begins, later)
    return one, other


def _sparse_parts(meetings: Meetings) -> list[sparse.csr_matrix]:
    """Items by pairs: shared, same label; items by pairs and values: what the one said, what the other said."""
    m = meetings
    size = m.pairs * m.values
    same = m.one == m.other
    ones = np.ones(len(m.item))
    return [
        sparse.csr_matrix((ones, (m.item, m.pair)), shape=(m.items, m.pairs)),
        sparse.csr_matrix((ones[same], (m.item[same], m.pair[same])), shape=(m.items, m.pairs)),
        sparse.csr_matrix((ones, (m.item, m.pair * m.values + m.one)), shape=(m.items, size)),
        sparse.csr_matrix((ones, (m.item, m.pair * m.values + m.other)), shape=(m.items, size)),
    ]


def _kappas(block: Floats, parts: list[sparse.csr_matrix], meetings: Meetings) -> tuple[Floats, Floats]:
    """κ and the number of shared items of every pair in every draw, both (draws, pairs); κ is NaN if undefined."""
    shared, same, one, other = (np.asarray(block @ part) for part in parts)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = same / shared
        products = (one * other).reshape(len(block), meetings.pairs, meetings.values).sum(axis=2)
        expected = products / shared**2
        kappas = np.where(expected < 1 - 1e-12, (observed - expected) / (1 - expected), np.nan)
    return np.asarray(kappas, dtype=np.float64), np.asarray(shared, dtype=np.float64)


def _drawn(parts: list[sparse.csr_matrix], meetings: Meetings) -> Floats:
    means = []
    for block in weights(meetings.items, draws=DRAWS):
        kappas, shared = _kappas(block, parts, meetings)
        usable = np.isfinite(kappas) & (shared >= SHARED)
        weight = np.where(usable, shared, 0.0)
        total = weight.sum(axis=1)
        summed = (np.where(usable, kappas, 0.0) * weight).sum(axis=1)
        means.append(np.divide(summed, total, out=np.full(len(block), np.nan), where=total > 0))
    return np.concatenate(means)
