"""Tests that suppose no shape of what is tested: bets on groups, labels dealt out, values exchanged, looks, signs.

Whether groups' sums are above 0 on average, whatever their shape: by betting (Waudby-Smith and Ramdas 2024).

Who bets a share of the stake on every group in turn, at odds that are fair by chance, has no more at the end than at
the start, on average: the wealth is an e-value, and by Markov's inequality 1 / wealth is a p (Journal of the Royal
Statistical Society B 86: 1–27; Vovk and Wang 2021, Annals of Statistics 49: 1736–1754). It holds for any number of
groups, of any sizes, that hang together in any way; a t test over groups takes one answer a group for certainty. The
price is power: about as much as a t test at a sixth of its level has.

Stakes are set before any answer is seen, from what chance does to the items alone: those that gain most where items of
a group hang together wholly, and not at all, and between; the wealth is the mean over them.

Whether labels go with the truth: the same labels dealt out over the items at random (Fisher 1935; Pitman 1937).

How common each label is stays as it is, on both sides, so that no shape is supposed: neither one label that is nearly
all there is nor two poles make noise look as if it knew something. Deals are drawn as tables with those margins, cell
by cell (hypergeometric), so that 200,000 items cost what 200 cost; p counts what was seen among them, (k + 1) / (m + 1)
(Phipson and Smyth 2010). Of two labels nothing is drawn: it is Fisher's exact test.

Where items hang together, whole groups change places, with as many items each: groups of about one size (up to twice
the smallest, whose number of items all of them give) are dealt to one another. Of many groups up to 50 change places
at a time as hands of several groups, which is a part of all deals and so as exact. The larger of both p is taken.

Whether what is right goes with a value, where items hang together: what groups have is exchanged between them.

Of groups that each have one value, values are dealt out anew over whole groups (Fisher 1935; Good 2005, chapter 3, on
units of randomization). Where values differ inside every group, as in pairs made of one sentence, right and wrong are
dealt out inside each. Of some groups of either kind, what each has is dealt out over the groups of its size, in any
order inside: single items are exchanged with single items, pairs with pairs. p counts what was seen among the deals,
(k + 1) / (m + 1) (Phipson and Smyth 2010).

What a test counts for while labels come in, however often one looks: O'Brien and Fleming's boundary (1979).

Biometrics 35: 549–556, for looks without end (Lan and DeMets 1983, Biometrika 70: 659–663). A test statistic of a
share t of the labels is √t of a random walk's place, which passes b before the end as often as it ends beyond b, twice
(the reflection principle). It passes STRICTER times the bound of the last test, and then ends within that bound, in
fewer than 1 of 1,000 studies: so the last test stays what it is, and the error of all looks together too.

Whether leads are on one side: every lead may have had either sign (Fisher 1935, section 21), exactly.

A lead is that of one item or of a whole group. The sum over all signs has a distribution that a Fourier transform of
its cosines gives; of leads of one size it is binomial. Beyond nine standard deviations there is less than 1e-17 of it
(Hoeffding 1963), so that the transform is no longer than that: 20,000 groups cost what 200 cost.

Holm's correction (1979, Scand. J. Statist. 6: 65–70): p of several tests, held down for as many looks.
"""

import math
from collections.abc import Callable, Collection
from math import ceil

import numpy as np
import scipy as sp
from numpy.random import Generator
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import Sample, cluster_sums

# A stake of √(2 ln(1 / level)) standard deviations passes the level soonest; for .05, alone and as one of many runs.
SOONEST, STEEPEST = 2.45, 3.45
STAKES = 12
# Of what one may stake without being ruined by one group.
MOST = 0.99


def of_groups(gains: Floats, least: Floats, spread: Floats, clusters: Ints) -> float:
    """p that `gains`, one an item, are above 0 on average; by chance each is 0 on average and `spread` its deviation.

    `least`: what the item gains at worst, below 0. One group alone says nothing.

    Eight of eight groups that are right in a choice of two, and as many that are wrong:

    >>> ones, eight = np.ones(16), np.arange(16) // 2
    >>> [round(of_groups(side * ones / 2, -ones / 2, ones / 2, eight), 3) for side in (1, -1)]
    [0.004, 1.0]
    """
    sums = cluster_sums(np.column_stack([gains, least, spread, spread**2]), clusters)
    if len(sums) < 2:
        return 1.0
    apart, together = float(sums[:, 3].sum()) ** 0.5, float((sums[:, 2] ** 2).sum()) ** 0.5
    wealth = [
        float(np.log1p(np.minimum(stake, MOST / -sums[:, 1]) * sums[:, 0]).sum())
        for stake in np.geomspace(SOONEST / together, STEEPEST / apart, STAKES)
    ]
    return float(min(1.0, np.exp(-(np.logaddexp.reduce(wealth) - np.log(STAKES)))))


DEALS, DEALS_OF_GROUPS = 9999, 1999
HANDS = 50


def dealt(gains: Ints, decided: Ints, true: Ints, sample: Sample) -> float:
    """The probability of as much as these labels gain, or more; `gains[a, b]`: what saying a of b adds.

    All right, but with one label for everything, which in any order is as right:

    >>> dealt(np.eye(3, dtype=int), np.zeros(9, dtype=int), np.zeros(9, dtype=int), Sample())
    1.0
    """
    size = len(gains)
    table = np.bincount(decided * size + true, weights=sample.weights, minlength=size * size)
    table = table.astype(np.int64).reshape(size, size)
    rng = np.random.default_rng((SEED, int(table.sum())))
    if size == 2:
        p = _of_two(gains, table)
    else:
        drawn = tables_like(table.sum(axis=1), table.sum(axis=0), rng) @ gains.ravel()
        p = _share(drawn >= (table * gains).sum())
    return p if sample.clusters is None else max(p, _of_groups(gains, decided, true, sample.clusters, rng))


def _of_two(gains: Ints, table: Ints) -> float:
    """One cell of four says all: as many in it, or more where that gains, or fewer where that does."""
    side = int(gains[0, 0] + gains[1, 1] - gains[0, 1] - gains[1, 0])
    if not side:
        return 1.0
    cell, other = (table[0, 0], table[0, 1]) if side > 0 else (table[0, 1], table[0, 0])
    return float(sp.stats.hypergeom.sf(cell - 1, table.sum(), table[:, 0 if side > 0 else 1].sum(), cell + other))


def _share(as_far: NDArray[np.bool_]) -> float:
    return float((1 + as_far.sum()) / (1 + len(as_far)))


def tables_like(rows: Ints, columns: Ints, rng: Generator) -> Ints:
    """Tables with these margins, as dealing gives them, shape (DEALS, rows * columns)."""
    tables = np.zeros((DEALS, len(rows), len(columns)), dtype=np.int64)
    remaining = np.tile(columns, (DEALS, 1))
    for row, size in enumerate(rows[:-1].tolist()):
        needed, others = np.full(DEALS, size), remaining.sum(axis=1)
        for column in range(len(columns)):
            others = others - remaining[:, column]
            tables[:, row, column] = rng.hypergeometric(remaining[:, column], others, needed)
            needed = needed - tables[:, row, column]
        remaining = remaining - tables[:, row]
    tables[:, -1] = remaining
    return tables.reshape(DEALS, -1)


def _of_groups(gains: Ints, decided: Ints, true: Ints, clusters: Ints, rng: Generator) -> float:
    _, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    order, begins = np.argsort(codes, kind="stable"), np.cumsum(sizes) - sizes
    observed, drawn = 0.0, np.zeros(DEALS_OF_GROUPS)
    alike = np.floor(np.log2(sizes))
    for size in np.unique(alike):
        groups = np.flatnonzero(alike == size)
        rows = order[begins[groups][:, None] + np.arange(sizes[groups].min())]
        if len(groups) > 1:
            pairs = _hands(gains, decided[rows], true[rows])
            deals = rng.permuted(np.tile(np.arange(len(pairs)), (DEALS_OF_GROUPS, 1)), axis=1)
            observed += float(np.trace(pairs))
            drawn += pairs[deals, np.arange(len(pairs))].sum(axis=1)
    return _share(drawn >= observed - 1e-9)


def _hands(gains: Ints, decided: Ints, true: Ints) -> Floats:
    """What each hand of groups would gain in the place of each other; labels have shape (groups, items of each)."""
    together = -(-len(decided) // HANDS)
    hands = len(decided) // together
    mine, theirs = (of[: hands * together].reshape(hands, -1) for of in (decided, true))
    indicators = np.eye(len(gains))[theirs].reshape(hands, -1)
    return np.asarray(gains[mine].reshape(hands, -1).astype(np.float64) @ indicators.T)


EXCHANGES = 1999
# Of more items fewer deals, so that a worker is done in seconds.
MANY, EXCHANGES_OF_MANY = 20_000, 499
WHOLE = "permutation of values over whole groups of items"
INSIDE = "permutation of right and wrong within each group of items"
ALIKE = "permutation of equally large groups of items, and of the items within each group"


def least_p(items: int) -> float:
    """The smallest p that the deals of so many items can give.

    >>> least_p(200), least_p(30_000)
    (0.0005, 0.002)
    """
    return 1 / (1 + _deals(items))


def _deals(items: int) -> int:
    return EXCHANGES if items <= MANY else EXCHANGES_OF_MANY


def exchanged(
    codes: Ints, right: NDArray[np.bool_], clusters: Ints, *, statistic: Callable[[Floats], Floats]
) -> tuple[float, str]:
    """p, and how groups were exchanged. `statistic` takes tables of shape (deals, values, 2): right, wrong.

    Six groups of four, three of each value, right wholly or not at all; of twenty ways to deal them two are so:

    >>> codes, right = np.repeat([0, 1], 12), np.repeat([True, False], 12)
    >>> p, how = exchanged(codes, right, np.arange(24) // 4, statistic=lambda tables: np.abs(tables[:, 0, 0] - 6))
    >>> round(p, 2), how
    (0.1, 'permutation of values over whole groups of items')
    """
    _, groups = np.unique(clusters, return_inverse=True)
    size, values = int(groups.max()) + 1, int(codes.max()) + 1
    rng = np.random.default_rng((SEED, len(codes), size))
    deals = _deals(len(codes))
    own = np.zeros((size, values))
    np.add.at(own, (groups, codes), 1)
    observed = statistic(_table(codes, right, values)[None])[0]
    is_pure = (own > 0).sum(axis=1) == 1
    if is_pure.all():
        tables, how = _of_whole(own.argmax(axis=1), groups, right, values, deals, rng), WHOLE
    elif is_pure.any():
        tables, how = _alike(codes, right, groups, values, deals, rng), ALIKE
    else:
        tables, how = _inside(codes, right, groups, values, deals, rng), INSIDE
    drawn = statistic(np.concatenate(tables))
    return float((1 + (drawn >= observed - 1e-9).sum()) / (1 + deals)), how


def _table(codes: Ints, right: NDArray[np.bool_], values: int) -> Floats:
    table = np.bincount(codes * 2 + ~right, minlength=2 * values)
    return np.asarray(table.reshape(values, 2), dtype=np.float64)


def _of_whole(
    of_group: Ints, groups: Ints, right: NDArray[np.bool_], values: int, deals: int, rng: Generator
) -> "list[Floats]":
    """Tables after each deal of the groups' values, shape (1, values, 2)."""
    sides = np.column_stack([np.bincount(groups, weights=right), np.bincount(groups, weights=~right)])
    tables = []
    for _ in range(deals):
        dealt = rng.permutation(of_group)
        table = np.column_stack([np.bincount(dealt, weights=sides[:, side], minlength=values) for side in (0, 1)])
        tables.append(table[None].astype(np.float64))
    return tables


def _inside(
    codes: Ints, right: NDArray[np.bool_], groups: Ints, values: int, deals: int, rng: Generator
) -> "list[Floats]":
    """Tables after each deal of right and wrong inside every group, shape (1, values, 2).

    How many rights fall on a value of a group is drawn without replacement, one value of every group after another.
    """
    cells, items = np.unique(groups * values + codes, return_counts=True)
    group, code = np.divmod(cells, values)
    place = np.arange(len(cells)) - np.searchsorted(group, group)
    turns = [np.flatnonzero(place == turn) for turn in range(int(place.max()) + 1)]
    rights, sizes = np.bincount(groups, weights=right).astype(np.int64), np.bincount(groups)
    of_value = np.bincount(codes, minlength=values)
    tables = []
    for _ in range(deals):
        still_right, still = rights.copy(), sizes.copy()
        dealt = np.zeros(len(cells), dtype=np.int64)
        for turn in turns:
            whose = group[turn]
            still[whose] -= items[turn]
            dealt[turn] = rng.hypergeometric(items[turn], still[whose], still_right[whose])
            still_right[whose] -= dealt[turn]
        hits = np.bincount(code, weights=dealt, minlength=values)
        tables.append(np.column_stack([hits, of_value - hits])[None])
    return tables


def _alike(
    codes: Ints, right: NDArray[np.bool_], groups: Ints, values: int, deals: int, rng: Generator
) -> "list[Floats]":
    """Tables after each deal over groups of one size, and inside each, shape (1, values, 2)."""
    sizes = np.bincount(groups)[groups]
    order = np.lexsort((groups, sizes))
    ordered, sorted_codes, sorted_right = sizes[order], codes[order], right[order]
    # A row a group.
    blocks = [sorted_codes[ordered == size].reshape(-1, size) for size in np.unique(ordered)]
    tables = []
    for _ in range(deals):
        dealt = [rng.permuted(block[rng.permutation(len(block))], axis=1).ravel() for block in blocks]
        tables.append(_table(np.concatenate(dealt), sorted_right, values)[None])
    return tables


STRICTER = 1.5


def counts_for(share_in: float) -> float:
    """The part of a standard error that one counts for, while a share of the labels is in; 1 once all are.

    >>> counts_for(1.0), round(counts_for(0.36), 2)
    (1.0, 0.4)
    """
    return 1.0 if share_in >= 1 else float(np.sqrt(share_in)) / STRICTER


def at_a_look(p: float, share_in: float) -> float:
    """A one-sided p while a share of the labels is in.

    >>> at_a_look(0.01, 1.0), round(at_a_look(0.01, 0.5), 2)
    (0.01, 0.14)
    """
    if share_in >= 1 or p in (0.0, 1.0):
        return p
    return float(tails.of_normal(tails.z_of(p) * counts_for(share_in)))


DEVIATIONS = 9
# Rounding errors of the transform add up to less than this.
LEAST = 1e-15


def at_least(leads: Ints, *, weights: Ints | None = None) -> float:
    """The probability of the sum of these leads, or a larger one; `weights`: how often each is there.

    Never less than 1 of the ways to give signs. Of three leads that are all ahead it is one of eight:

    >>> at_least(np.array([1, 2, 5])), at_least(np.array([-1, 2, 5]))
    (0.125, 0.25)
    """
    counts = np.ones(len(leads), dtype=np.int64) if weights is None else weights
    observed = int((leads * counts).sum())
    sizes, place = np.unique(np.abs(leads), return_inverse=True)
    times = np.bincount(place, weights=counts, minlength=len(sizes)).astype(np.int64)
    sizes, times = (of[(sizes > 0) & (times > 0)] for of in (sizes, times))
    units = int(times.sum())
    if not units:
        return 1.0
    if len(sizes) == 1:
        return float(sp.stats.binom.sf((observed // int(sizes[0]) + units) // 2 - 1, units, 0.5))
    # By symmetry the sum is as often up to −seen as from seen on.
    p = _tail(sizes, times, observed) if observed > 0 else 1.0 - _tail(sizes, times, 1 - observed)
    return float(np.clip(p, 2.0**-units, 1.0))


def _tail(sizes: Ints, times: Ints, threshold: int) -> float:
    spread = float((sizes.astype(np.float64) ** 2 * times).sum()) ** 0.5
    reach = min(int((sizes * times).sum()), ceil(DEVIATIONS * spread))
    if threshold > reach:
        return LEAST
    length = 2 * reach + 1
    angles = 2 * np.pi * np.arange(reach + 1) / length
    transformed: Floats = np.ones(reach + 1)
    for size, count in zip(sizes.tolist(), times.tolist(), strict=True):
        transformed *= np.cos(size * angles) ** count
    return float(np.fft.irfft(transformed, n=length)[threshold : reach + 1].sum())


def holm(ps: Collection[float]) -> list[float]:
    """Each p after the correction, whatever the tests have to do with one another; ValueError of NaN, which is no p.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    raw, corrected, least = list(ps), [1.0] * len(ps), 0.0
    if any(map(math.isnan, raw)):
        raise ValueError("a test without a p cannot be corrected")
    for place, of in enumerate(sorted(range(len(raw)), key=raw.__getitem__)):
        least = max(least, min(1.0, (len(raw) - place) * raw[of]))
        corrected[of] = least
    return corrected
