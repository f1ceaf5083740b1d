"""How far two annotators agree on the items that both labeled, for all pairs of some annotators: how often they give
the same label or, of ratings that are averaged, by Spearman's ρ.

Who they are: all of a few; of many both ends, and who stands out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.accuracy.hits import share
from comparison.statistics.agreement.reversed import mean_of_others
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import NO_EFFECT, Sample, design_effect
from comparison.statistics.strengths.correlation import ALIKE, FEWEST, influence, of_rho, spearman

# A picture has room for so many annotators; of more it shows both ends, and who stands out.
MOST, AT_AN_END = 36, 12
NOTHING_SHARED = "they share no item"
# Below this, what is left of a spread is rounding.
SAME = 1e-9


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Square matrices over the annotators: how many items both labeled, and on how many they gave the same label."""

    shared: Ints
    same: Ints


def pair_counts(items: Ints, raters: Ints, labels: Ints, *, some: Sequence[int]) -> PairCounts:
    """Of `some` annotators by their numbers, in this order. Labels come one by one: item, annotator, code.

    All pairs at once, as products of tables of items by annotators: the cost is that of `some`, not of everybody.
    Of several labels of one annotator on one item the first counts.

    >>> items, raters, labels = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1], [1, 2, 1]]).T
    >>> found = pair_counts(items, raters, labels, some=[0, 1])
    >>> found.shared.tolist(), found.same.tolist()
    ([[2, 2], [2, 2]], [[2, 1], [1, 2]])
    """
    _, table = _said(items, raters, labels, some)
    shared = _together(table != MISSING)
    same = np.zeros_like(shared)
    for label in np.unique(table[table != MISSING]):
        same += _together(table == label)
    return PairCounts(shared, same)


def pair_rhos(
    items: Ints, raters: Ints, labels: Ints, *, some: Sequence[int], sample: Sample
) -> tuple[tuple[Estimate, ...], ...]:
    """Spearman's ρ of two annotators' ratings of the same items: in each row, with those who come before.

    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> items, raters = np.repeat(np.arange(6), 2), np.tile(np.arange(2), 6)
    >>> found = pair_rhos(items, raters, np.array([1, 2, 2, 3, 3, 4, 4, 6, 5, 5, 6, 7]), some=[0, 1], sample=ITEMS)
    >>> [[one.number for one in row] for row in found]
    [[], ['.9']]
    """
    places, table = _said(items, raters, labels, some)
    points = np.unique(table[table != MISSING])
    given = (table[:, :, None] == points).astype(np.float32)
    clusters = None if sample.clusters is None else sample.clusters[places]
    return tuple(_row_of_rhos(given, row, clusters) for row in range(len(some)))


def _row_of_rhos(given: Floats, row: int, clusters: Ints | None) -> tuple[Estimate, ...]:
    """ρ of one annotator with all who come before, from how often each two points meet on the items that both rated.

    `given` (items, annotators, points) is 1 where one gave that point: ranks are those of the shared items alone.
    """
    own = given[:, row].any(axis=1)
    first, others = given[own, row].astype(np.float64), given[own, :row].astype(np.float64)
    met = np.einsum("iu,ijv->juv", first, others, optimize=True)
    n = met.sum(axis=(1, 2))
    one, other = _away(met.sum(axis=2)), _away(met.sum(axis=1))
    spread = np.sqrt((met.sum(axis=2) * one**2).sum(axis=1) * (met.sum(axis=1) * other**2).sum(axis=1))
    shared = np.einsum("juv,ju,jv->j", met, one, other, optimize=True)
    found = []
    for place in range(row):
        if n[place] < FEWEST or spread[place] < SAME:
            found.append(with_reasons(Estimate.none(ALIKE, n=int(n[place]))))
            continue
        rho = float(np.clip(shared[place] / spread[place], -1, 1))
        rho = round(rho) if abs(rho) > 1 - SAME else rho
        effect = NO_EFFECT
        if clusters is not None and abs(rho) < 1:
            both = others[:, place].any(axis=1)
            effect = design_effect(
                influence(first[both] @ one[place], others[both, place] @ other[place], rho), clusters[own][both]
            )
        found.append(of_rho(rho, int(n[place]), effect))
    return tuple(found)


def _away(counts: Floats) -> Floats:
    """Of each point in each row of counts, its mean rank less that of all."""
    return np.asarray(np.cumsum(counts, axis=1) - (counts - 1) / 2 - (counts.sum(axis=1, keepdims=True) + 1) / 2)


def _said(items: Ints, raters: Ints, labels: Ints, some: Sequence[int]) -> tuple[Ints, Ints]:
    """The items that any of them labeled, and a table of these by annotators; MISSING where one gave no label."""
    columns = np.full(int(raters.max(initial=-1)) + 1, MISSING, dtype=np.int64)
    columns[list(some)] = np.arange(len(some))
    # From the last to the first, so that the first stays.
    own = np.flatnonzero(columns[raters] != MISSING)[::-1]
    places, rows = np.unique(items[own], return_inverse=True)
    table = np.full((len(places), len(some)), MISSING, dtype=np.int64)
    table[rows, columns[raters[own]]] = labels[own]
    return places, table


def _together(given: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Ints:
    """On how many rows each two columns are both true: exact in floats, whose products are the fast ones."""
    ones = given.astype(np.float64)
    return np.asarray(np.rint(ones.T @ ones), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class BetweenAnnotators:
    """Pairs of the annotators who are `shown`: items that both labeled, and those with the same label, by place.

    `rhos`: of ratings that are averaged, ρ of each with those who come before; else empty.
    """

    shown: tuple[str, ...]
    shared: tuple[tuple[int, ...], ...]
    same: tuple[tuple[int, ...], ...]
    rhos: tuple[tuple[Estimate, ...], ...] = ()

    def pair(self, one: int, other: int) -> Estimate:
        if self.rhos:
            return self.rhos[max(one, other)][min(one, other)]
        return self.alike(one, other)

    def alike(self, one: int, other: int) -> Estimate:
        """The share of items with the same label."""
        return share(self.same[one][other], self.shared[one][other], reason=NOTHING_SHARED)


def rhos_with_others(items: Ints, raters: Ints, labels: Ints, *, people: int, sample: Sample) -> tuple[Estimate, ...]:
    """Spearman's ρ of each annotator's ratings with the mean of all others' on the same items.

    Of many points two people seldom choose the very same one, so that exact matches say little of ratings.

    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> rng = np.random.default_rng(1)
    >>> items, raters = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    >>> labels = np.repeat(rng.integers(7, size=40), 3) + rng.integers(-1, 2, size=120)
    >>> [one.number for one in rhos_with_others(items, raters, labels, people=3, sample=ITEMS)]
    ['.90', '.91', '.92']
    """
    others = mean_of_others(items, labels, np.ones(len(items), dtype=bool))
    order = np.argsort(raters, kind="stable")
    found = []
    for own in np.split(order, np.searchsorted(raters[order], np.arange(1, people)))[:people]:
        part = Sample(clusters=None if sample.clusters is None else sample.clusters[items[own]])
        found.append(with_reasons(spearman(labels[own].astype(np.float64), others[own], sample=part)))
    return tuple(found)


def with_reasons(rho: Estimate) -> Estimate:
    """ρ of two columns of ratings, with a reason in words of these where it is undefined."""
    if not rho.undefined:
        return rho
    why = f"fewer than {FEWEST} shared items" if rho.n < FEWEST else "all ratings of one side are the same"
    return replace(rho, undefined=why)


def shown(reached: Sequence[tuple[str, Estimate]], outliers: Collection[str]) -> tuple[str, ...]:
    """Those whom a picture shows, the one who agrees most with the others first; `reached`: each beside the others.

    Ends are found by the near end of each interval: a few labels put nobody at the top or the bottom.
    """
    there = [one for one in reached if one[1].value is not None]
    if len(there) > MOST:
        rising = sorted(there, key=_high)
        apart = [one for one in rising if one[0] in outliers][:AT_AN_END]
        kept = {one[0] for one in (*rising[:AT_AN_END], *sorted(there, key=_low)[-AT_AN_END:], *apart)}
        there = [one for one in there if one[0] in kept]
    return tuple(one[0] for one in sorted(there, key=_place))


def _place(one: tuple[str, Estimate]) -> tuple[float, int, str]:
    return -(one[1].value or 0.0), -one[1].n, one[0]


def _low(one: tuple[str, Estimate]) -> float:
    return -1.0 if one[1].low is None else one[1].low


def _high(one: tuple[str, Estimate]) -> float:
    return 1.0 if one[1].high is None else one[1].high
