"""Two numbers of the same items: those items that have both, and why nothing can be correlated where that is so.

The interval of a correlation by Fisher's z = atanh r (Fisher 1921), for items one by one or in groups.

Two standard errors are at hand: that of a formula, which knows how few items there are and supposes their shape, and
that of what each item adds to the correlation (its influence: Hampel 1974; Efron and Tibshirani 1993, section 22.6),
which supposes no shape and is small where items are few. The wider interval of both is taken.

Does a run's strength rise with people's labels? Spearman's rank correlation, for runs with or without decisions.

Pearson's r: how near two numbers of items lie to a line (Pearson 1896).

Kendall's τ-b: of pairs of items, how many more are in the same order by both numbers than not (Kendall 1945).

Pairs that are tied by one of the two numbers are no evidence; τ-b takes them off both numbers' pairs.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, NO_EFFECT, DesignEffect, Sample, cluster_sums, design_effect

FEWEST = 4
# Two equal rankings tell nothing where dealing makes them equal in one of fewer orders: p, of both sides, is above .01.
FEW_ORDERS = 200
BY_LUCK = "the items differ in so few ways that equal rankings may be luck"


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The two columns without gaps; `both` says which items they are of. `undefined` says why they cannot be used."""

    one: Floats
    other: Floats
    both: NDArray[np.bool_]
    undefined: str = ""

    @property
    def n(self) -> int:
        return len(self.one)

    def of(self, sample: Sample) -> Sample:
        """The part of the sample that is of these items."""
        return sample.where(self.both)


def pairs(one: Floats, other: Floats, *, first: str = "the first", second: str = "the second") -> Pairs:
    """Columns of shape (items,), NaN where an item has no such number. `first` and `second` name them in a reason.

    >>> found = pairs(np.array([1.0, 2.0, np.nan]), np.array([1.0, 2.0, 3.0]))
    >>> found.n, found.undefined
    (2, 'fewer than 4 items have both')
    """
    both = np.isfinite(one) & np.isfinite(other)
    left, right = one[both], other[both]
    undefined = ""
    if len(left) < FEWEST:
        undefined = f"fewer than {FEWEST} items have both"
    elif are_alike(left):
        undefined = f"{first} is the same for every item"
    elif are_alike(right):
        undefined = f"{second} is the same for every item"
    return Pairs(left, right, both, undefined)


# What rounding leaves between numbers that were meant to be the same, as a share of them.
ROUNDING = 1e-9


def are_alike(column: Floats) -> bool:
    """Whether all numbers are the same but for what rounding leaves: ranks and cut points would tell them apart.

    >>> are_alike(np.array([0.1 + 0.2, 0.3, 0.3])), are_alike(np.array([0.3, 0.300001])), are_alike(np.zeros(3))
    (True, False, True)
    """
    return bool(np.ptp(column) <= ROUNDING * np.abs(column).max())


# A formula's standard error, of as many items as these are worth; infinite where they are too few for it.
Formula = Callable[[float], float]


def with_interval(value: float, influence: Floats, formula: Formula, *, sample: Sample) -> Estimate:
    """`value` between −1 and 1 over as many items as there are influences, whose mean is 0."""
    n = len(influence)
    if abs(value) >= 1:
        return Estimate(
            math.copysign(1.0, value),
            n=n,
            no_interval="the two are perfectly correlated" if value > 0 else "one is the other reversed",
        )
    effect = NO_EFFECT if sample.clusters is None else design_effect(influence, sample.clusters)
    if effect.undefined:
        return Estimate(value, n=n, no_interval=effect.undefined)
    sums = influence if sample.clusters is None else cluster_sums(influence[:, None], sample.clusters)[:, 0]
    units = len(sums)
    by_shape = formula(n / effect.value)
    if not math.isfinite(by_shape):
        return Estimate(value, n=n, no_interval="too few items, or too small an effective sample")
    spread = math.sqrt(units / (units - 1) * float((sums**2).sum())) / n
    by_influence = float(tails.t_of(0.025, units - 1)) * spread / (1 - value**2)
    reach = max(effect.reach * by_shape, by_influence)
    z = math.atanh(value)
    return Estimate(value, math.tanh(z - reach), math.tanh(z + reach), n=n, note=effect.words)


def standard(column: Floats) -> Floats:
    """With mean 0 and deviation 1.

    >>> standard(np.array([1.0, 2.0, 3.0])).round(2).tolist()
    [-1.22, 0.0, 1.22]
    """
    # From 0 to 1 first: squares of probabilities of sentences are too small for floats, and of 1e299 too large.
    least, most = column.min(), column.max()
    scaled = (column - least) / (most - least)
    return np.asarray((scaled - scaled.mean()) / scaled.std())


def exact(value: float) -> float:
    """A correlation without the last digit that rounding leaves of 1, which would have an interval from 1 to 1.

    >>> exact(0.9999999999999998), exact(-1 + 1e-15), exact(0.99)
    (1.0, -1.0, 0.99)
    """
    return float(round(value)) if abs(value) > 1 - 1e-12 else value


ALIKE = "every item has the same score"


def pearson(pairs: Pairs, *, sample: Sample = ITEMS) -> Estimate:
    """r with Fisher's interval, whose standard error of z is 1 / √(n − 3) (Fisher 1921) or larger.

    >>> str(pearson(pairs(np.array([1.0, 2, 3, 4, 5, 6]), np.array([2.0, 1, 4, 3, 6, 5]))))
    '.8 [.1, 1.0], n = 6'
    """
    if pairs.undefined:
        return Estimate.none(pairs.undefined, n=pairs.n)
    one, other = standard(pairs.one), standard(pairs.other)
    r = float(np.clip((one * other).mean(), -1, 1))
    r = exact(r)
    influence = np.asarray(one * other - r * (one**2 + other**2) / 2)
    return with_interval(r, influence, _formula, sample=pairs.of(sample))


def _formula(worth: float) -> float:
    return 1 / math.sqrt(worth - 3) if worth > 3 else math.inf


def points_of(values: int, *, ordered: bool) -> Floats:
    """What a label adds to an item's score: its place on an ordered scale, else whether it is the scale's first."""
    return np.arange(1, values + 1, dtype=np.float64) if ordered else np.eye(values)[0]


def people_score(counts: Ints, *, ordered: bool) -> Floats:
    """Each item's mean degree (1 is lowest) on an ordered scale, else the share of the scale's first value.

    Counts have shape (items, values). NaN marks items without labels; it is left out below, never shown.

    >>> people_score(np.array([[2, 0, 0], [0, 1, 1], [0, 0, 0]]), ordered=True)
    array([1. , 2.5, nan])
    """
    totals = counts.sum(axis=1).astype(np.float64)
    scores: Floats = np.divide(
        counts @ points_of(counts.shape[1], ordered=ordered), totals, out=np.full(len(counts), np.nan), where=totals > 0
    )
    return scores


def reference_score(truth: Ints, *, ordered: bool) -> Floats:
    """Each item's degree by its reference, given as a code; NaN marks items without one."""
    scores = truth + 1.0 if ordered else (truth == 0).astype(np.float64)
    return np.where(truth == MISSING, np.nan, scores)


def run_score(decided: Ints, strengths: Floats) -> Floats:
    """What a run says of each item as a number: its strength or, of a run that only gives labels, its label."""
    if np.isfinite(strengths).any():
        return strengths
    return np.where(decided == MISSING, np.nan, decided + 1.0)


def spearman(strengths: Floats, scores: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """Spearman's ρ over items that have both, with the Fisher z interval of Bonett and Wright (2000).

    The standard error of z is sqrt((1 + ρ²/2) / (n - 3)) (Psychometrika 65: 23–28, equation 4). Items of clusters are
    worth n over the design effect on what each item adds to ρ (the influence function of a correlation, of ranks).

    >>> str(spearman(np.array([-9.0, -1.0, 5.0, 1.0, 7.0, 8.0]), np.array([1.0, 2.0, 2.5, 3.0, 4.0, 5.0])))
    '.9 [.4, 1.0], n = 6'
    """
    both = np.isfinite(strengths) & np.isfinite(scores)
    one, other = strengths[both], scores[both]
    n = int(both.sum())
    if n < FEWEST:
        return Estimate.none(f"fewer than {FEWEST} items have both a score and a label", n=n)
    if are_alike(one):
        return Estimate.none(ALIKE, n=n)
    if are_alike(other):
        return Estimate.none("every item has the same label", n=n)
    rho = exact(max(-1.0, min(1.0, float(sp.stats.spearmanr(one, other).statistic))))
    effect = NO_EFFECT
    if (
        abs(rho) == 1
        and orders(one, n if sample.clusters is None else len(np.unique(sample.clusters[both]))) < FEW_ORDERS
    ):
        return Estimate(rho, n=n, no_interval=BY_LUCK)
    if sample.clusters is not None and abs(rho) < 1:
        effect = design_effect(influence(one, other, rho), sample.clusters[both])
    return of_rho(rho, n, effect)


def orders(column: Floats, units: int) -> float:
    """How many orders these numbers can stand in, of so many units that each may be moved as a whole.

    >>> round(orders(np.array([1.0, 2.0, 3.0, 4.0]), 4)), round(orders(np.array([1.0, 1.0, 1.0, 1.0, 2.0]), 5))
    (24, 5)
    """
    ties = np.unique(column, return_counts=True)[1]
    return min(
        math.exp(min(700.0, math.lgamma(len(column) + 1) - sum(math.lgamma(many + 1) for many in ties))),
        math.exp(min(700.0, math.lgamma(units + 1))),
    )


def of_rho(rho: float, n: int, effect: DesignEffect = NO_EFFECT) -> Estimate:
    """ρ of so many items with its interval."""
    rho = exact(rho)
    if abs(rho) == 1:
        return Estimate(
            rho, n=n, no_interval="the two rankings are the same" if rho > 0 else "one ranking is the other reversed"
        )
    worth = n / effect.value
    if effect.undefined or worth <= FEWEST - 1:
        return Estimate(rho, n=n, no_interval=effect.undefined or f"the effective sample is below {FEWEST} items")
    reach = effect.reach * math.sqrt((1 + rho**2 / 2) / (worth - 3))
    z = math.atanh(rho)
    return Estimate(rho, math.tanh(z - reach), math.tanh(z + reach), n=n, note=effect.words)


def of_two(one: Floats, other: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """ρ of two runs' strengths, over items that have both.

    >>> of_two(np.ones(5), np.arange(5.0)).undefined
    'one of the two has the same score for every item'
    """
    found = spearman(one, other, sample=sample)
    if not found.undefined:
        return found
    if found.n < FEWEST:
        return replace(found, undefined=f"fewer than {FEWEST} items have both scores")
    return replace(found, undefined="one of the two has the same score for every item")


def influence(one: Floats, other: Floats, rho: float) -> Floats:
    """What each item adds to the correlation of the ranks: z₁z₂ − ρ (z₁² + z₂²) / 2, whose mean is 0."""
    first, second = (standard(sp.stats.rankdata(column)) for column in (one, other))
    return np.asarray(first * second - rho * (first**2 + second**2) / 2)


# Of so many different numbers each is looked at by itself, however many items there are.
FEW_NUMBERS = 64
# Above this many items, and with more different numbers of both kinds, every pair of items would take minutes.
MOST_ITEMS = 20_000
# Items that are compared with all others at once.
TOGETHER = 500


def kendall(pairs: Pairs, *, sample: Sample = ITEMS) -> Estimate:
    """τ-b by Fisher's z, whose standard error is √(.437 / (n − 4)) (Fieller, Hartley and Pearson 1957) or larger.

    Larger is what each item adds to τ-b (correlation.py), where ties or groups make it so.

    >>> from comparison.statistics.strengths.correlation import pairs
    >>> str(kendall(pairs(np.array([1.0, 2, 3, 4, 5, 6]), np.array([2.0, 1, 4, 3, 6, 5]))))
    '.6 [−.2, .9], n = 6'
    """
    if pairs.undefined:
        return Estimate.none(pairs.undefined, n=pairs.n)
    if pairs.n > MOST_ITEMS and min(len(np.unique(pairs.one)), len(np.unique(pairs.other))) > FEW_NUMBERS:
        return Estimate.none(f"more than {MOST_ITEMS:,} items with distinct values of both", n=pairs.n)
    n = pairs.n
    # Of each item, the share of items that stand to it in the same order, less those in the other; and those not tied.
    net = _net(pairs.one, pairs.other) / (n - 1)
    apart, other_apart = _apart(pairs.one), _apart(pairs.other)
    mean, one_mean, other_mean = net.mean(), apart.mean(), other_apart.mean()
    scale = math.sqrt(one_mean * other_mean)
    tau = float(np.clip(mean / scale, -1, 1))
    tau = exact(tau)
    ties = mean / (2 * one_mean) * (apart - one_mean) + mean / (2 * other_mean) * (other_apart - other_mean)
    influence = 2 * (net - mean - ties) / scale
    return with_interval(tau, np.asarray(influence), _formula_of_tau, sample=pairs.of(sample))


def _formula_of_tau(worth: float) -> float:
    return math.sqrt(0.437 / (worth - 4)) if worth > 4 else math.inf


def _apart(column: Floats) -> Floats:
    """Of each item, the share of other items with another number."""
    _, place, sizes = np.unique(column, return_inverse=True, return_counts=True)
    return np.asarray((len(column) - sizes[place]) / (len(column) - 1), dtype=np.float64)


def _net(one: Floats, other: Floats) -> Floats:
    """Of each item, Σ sign(x − x′) sign(y − y′) over all items."""
    levels, places = np.unique(other, return_inverse=True)
    if len(levels) <= FEW_NUMBERS:
        return _net_of_levels(one, places, len(levels))
    levels, places = np.unique(one, return_inverse=True)
    if len(levels) <= FEW_NUMBERS:
        return _net_of_levels(other, places, len(levels))
    net = np.empty(len(one))
    for start in range(0, len(one), TOGETHER):
        here = slice(start, start + TOGETHER)
        signs = np.sign(one[here, None] - one) * np.sign(other[here, None] - other)
        net[here] = signs.sum(axis=1)
    return net


def _net_of_levels(column: Floats, places: "np.ndarray[tuple[int], np.dtype[np.int64]]", levels: int) -> Floats:
    """Each item's Σ sign(x − x′) sign(y − y′), counted by level, where one of the two has few distinct numbers."""
    different, codes = np.unique(column, return_inverse=True)
    net = np.zeros(len(column))
    for level in range(levels):
        here = np.bincount(codes[places == level], minlength=len(different))
        up_to = np.cumsum(here)
        below, above = up_to - here, up_to[-1] - up_to
        net += np.sign(places - level) * (below - above)[codes]
    return net
