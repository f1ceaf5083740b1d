"""Cohen's κ for every two annotators who share items, averaged (Cohen 1960; the mean over pairs: Light 1971).

In a crowd most pairs share few items, so the mean weighs each pair by the items it shares. Where everyone
labeled everything this is Light's plain mean. Scott's π is averaged in the same way.

All that a pair's κ rests on are a few sums over the items that it shares, so that memory goes with the meetings of two
annotators on an item, not with items times pairs: a million labels, five an item, are two million meetings. Where there
are more than MOST_MEETINGS, annotators are drawn by chance until their meetings are fewer, and the note says so.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from comparison.statistics.agreement.coded_labels import CodedLabels, blocks, numbered, read_said, runs
from comparison.statistics.agreement.coefficient import (
    NO_PAIRS,
    ONE_LABEL,
    Weighting,
    beyond_chance,
    ratio,
    weight_matrix,
)
from comparison.statistics.counts import Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.left_out import variance, with_t
from comparison.statistics.resampling.sample import ITEMS, Sample

# A pair needs two shared items for κ to be anything but agreement by definition.
SHARED = 2
# Below this many shared items a pair, the interval says more about who met than about the people.
SHARED_FOR_INTERVAL = 10
# Two labels on one item that are worked with at most: some 300 MB and a few seconds.
MOST_MEETINGS = 4_000_000

Of = Callable[["Tables"], Floats]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Every two labels on one item: the group of the item, the pair, and what the two said. In order of group, pair."""

    group: Ints
    pair: Ints
    one: Ints
    other: Ints
    groups: int
    pairs: int
    items: int
    note: str


@dataclass(frozen=True, slots=True)
class Tables:
    """Of each pair (or pair in a group): shared items, weighted agreement, what the one and the other said."""

    shared: Floats
    same: Floats
    one: Floats
    other: Floats

    def at(self, places: Ints) -> "Tables":
        return Tables(self.shared[places], self.same[places], self.one[places], self.other[places])

    def less(self, gone: "Tables") -> "Tables":
        return Tables(self.shared - gone.shared, self.same - gone.same, self.one - gone.one, self.other - gone.other)


def mean_cohen(met: Meetings | None, *, values: int, weighting: Weighting = "identity") -> Estimate:
    """Mean pairwise Cohen's κ of labels that have met. n is items with two labels or more.

    The interval is the jackknife's over items, or over the clusters that meet() was told of.

    Two raters on four items, who differ on the last:

    >>> met = meet(np.repeat(np.arange(4), 2), np.tile([0, 1], 4), np.array([0, 0, 0, 0, 1, 1, 1, 0]))
    >>> found = mean_cohen(met, values=2)
    >>> found.value, found.n, found.note
    (0.5, 4, '1 pair of annotators, 4.0 shared items each')
    """
    weights = weight_matrix(weighting, values=values)

    def kappas(tables: Tables) -> Floats:
        return _beyond(tables, (tables.one @ weights) * tables.other)

    return _mean(met, kappas, weights)


def mean_scott(met: Meetings | None, *, values: int, weighting: Weighting = "identity") -> Estimate:
    """Mean pairwise Scott's π (1955): chance is that of two labels drawn from both raters' together.

    >>> met = meet(np.repeat(np.arange(4), 2), np.tile([0, 1], 4), np.array([0, 0, 0, 0, 1, 1, 1, 0]))
    >>> round(mean_scott(met, values=2).value, 3)
    0.467
    """
    weights = weight_matrix(weighting, values=values)

    def pis(tables: Tables) -> Floats:
        both = (tables.one + tables.other) / 2
        return _beyond(tables, (both @ weights) * both)

    return _mean(met, pis, weights)


def _beyond(tables: Tables, products: Floats) -> Floats:
    shared = np.maximum(tables.shared, 1)
    found = beyond_chance(tables.same / shared, products.sum(axis=1) / shared**2)
    # A pair that shares too little has none.
    return np.where(tables.shared >= SHARED, found, np.nan)


def _mean(met: Meetings | None, of_pairs: Of, weights: Floats) -> Estimate:
    if met is None:
        return Estimate.none(NO_PAIRS)
    pairs = _tables(met, slice(None), met.pair, met.pairs, weights)
    found = of_pairs(pairs)
    if not (pairs.shared >= SHARED).any():
        return Estimate.none(f"no two annotators share {SHARED} items", n=met.items)
    used = np.isfinite(found)
    if not used.any():
        return Estimate.none(f"{ONE_LABEL} in every pair of annotators", n=met.items)
    value = float(np.average(found[used], weights=pairs.shared[used]))
    shared = float(pairs.shared[used].mean())
    note = _note(int(used.sum()), int((~used).sum()), shared) + met.note
    if shared < SHARED_FOR_INTERVAL:
        reason = f"a pair shares {shared:.1f} items on average; read Fleiss’ κ or α instead"
        return Estimate(value, n=met.items, no_interval=reason, note=note)
    left_out = _left_out(met, pairs, of_pairs, weights)
    return with_t(value, variance(left_out), units=met.groups, n=met.items, note=note)


def _note(used: int, left_out: int, mean_shared: float) -> str:
    note = f"{used:,} pair{'s' if used != 1 else ''} of annotators, {mean_shared:.1f} shared items each"
    pairs = "pair" if left_out == 1 else "pairs"
    return f"{note}; {left_out:,} {pairs} left out (too few items or one label only)" if left_out else note


def _left_out(met: Meetings, pairs: Tables, of_pairs: Of, weights: Floats) -> Floats:
    """The mean with each group of items left out: only the pairs that met there change."""
    whole = _weighed(of_pairs(pairs), pairs.shared)
    changed = np.zeros((met.groups, 2))
    keys = met.group * met.pairs + met.pair
    for part in blocks(keys):
        here, place = runs(keys[part])
        pair = here % met.pairs
        rest = pairs.at(pair).less(_tables(met, part, place, len(here), weights))
        np.add.at(changed, here // met.pairs, _weighed(of_pairs(rest), rest.shared) - whole[pair])
    sums = whole.sum(axis=0) + changed
    return ratio(sums[:, 0], sums[:, 1])


def _weighed(found: Floats, shared: Floats) -> Floats:
    """What each pair adds to the mean's two sums, (pairs, 2)."""
    used = np.isfinite(found)
    return np.column_stack([np.where(used, found, 0.0) * shared, np.where(used, shared, 0.0)])


def _tables(met: Meetings, part: slice, place: Ints, size: int, weights: Floats) -> Tables:
    """The tables of the meetings of a part, each at its `place`."""
    one, other = met.one[part], met.other[part]
    return Tables(
        np.bincount(place, minlength=size).astype(np.float64),
        np.bincount(place, weights=weights[one, other], minlength=size).astype(np.float64),
        count(place, one, size=size, values=len(weights)).astype(np.float64),
        count(place, other, size=size, values=len(weights)).astype(np.float64),
    )


def meet(items: Ints, raters: Ints, labels: Ints, *, sample: Sample = ITEMS) -> Meetings | None:
    """Every two labels on one item, of labels one by one; None where there are no two by different raters.

    >>> met = meet(np.array([3, 3, 3, 8]), np.array([0, 1, 2, 0]), np.array([1, 1, 0, 0]))
    >>> met.pair.tolist(), met.one.tolist(), met.other.tolist()
    ([0, 1, 2], [1, 1, 1], [1, 0, 0])
    """
    said, note = _bounded(read_said(items, raters, labels, sample=sample))
    order = np.argsort(said.item * said.raters + said.rater, kind="stable")
    item, rater, label = said.item[order], said.rater[order], said.label[order]
    one, other = _pairs_within(item)
    apart = rater[one] != rater[other]
    one, other = one[apart], other[apart]
    if not len(one):
        return None
    pairs, pair = numbered(rater[one] * said.raters + rater[other])
    groups, group = numbered(said.groups[item[one]])
    by_group = np.argsort(group * len(pairs) + pair, kind="stable")
    return Meetings(
        group=group[by_group],
        pair=pair[by_group],
        one=label[one[by_group]],
        other=label[other[by_group]],
        groups=len(groups),
        pairs=len(pairs),
        items=len(numbered(item[one])[0]),
        note=note,
    )


def _bounded(said: CodedLabels) -> tuple[CodedLabels, str]:
    """The labels of as many annotators, drawn by chance, as have MOST_MEETINGS at most; and words for the note."""
    order = np.random.default_rng(SEED).permutation(said.raters)
    kept, chosen = said.raters, np.ones(len(said.item), dtype=bool)
    while (meetings := _count_meetings(said.item[chosen])) > MOST_MEETINGS:
        # Meetings go with the square of the annotators.
        kept = int(kept * min(0.95, (MOST_MEETINGS / meetings) ** 0.5))
        chosen = np.isin(said.rater, order[:kept])
    if kept == said.raters:
        return said, ""
    some = read_said(said.item[chosen], said.rater[chosen], said.label[chosen], sample=Sample(clusters=said.groups))
    return some, f"; of {kept:,} annotators drawn at random from {said.raters:,}"


def _count_meetings(item: Ints) -> int:
    totals = np.bincount(item)
    return int((totals * (totals - 1) // 2).sum())


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
