"""Which runs cannot be told from the best: the model confidence set (Hansen, Lunde and Nason 2011).

Econometrica 79: 453–497, section 3.1.2: the range statistic T_R, the largest of all pairs' studentized differences, is
held against its distribution over drawn items; while it is too large for chance, the run that lies furthest behind
another leaves (their e_R). All runs that are truly best stay together with a probability of 95 % or more, unlike the
intervals of multiple comparisons with the best (Hsu 1981), which hold one best run at a time. Hits come in whole
items, which makes few items coarse: a difference is taken for smaller by half its least step (Edwards 1948).

Draws of few groups of items vary too little: a difference counts for as many normal standard errors as are as rare as
it is by Student's t, and by √(k / (k − 1)) (Hesterberg 2015, section 5.3.2), where k is what the groups are worth.

Who leaves next hangs on the values alone, so that the largest difference of each set that is left is that of the next
smaller one and of the run that left it: 200 runs take pairs × draws once, and never more memory than draws × runs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.chance import counts_for
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Z

LEVEL = 0.05
# Two runs that may change places group by group are apart by one and the same in every group in 2 of 2^k ways: of 5
# groups that is more than LEVEL, so that no run can be told from another.
FEWEST_GROUPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSums:
    """`step` is what one item adds to a value; 0 where values do not come in steps. `groups`: what the groups drawn are
    worth (of equal size their number); 0 where items are drawn one by one. `share_in`: of labels that still come in.
    """

    step: float = 0.0
    groups: float = 0.0
    share_in: float = 1.0


ITEM_BY_ITEM = DrawnSums()


@dataclass(frozen=True, slots=True, eq=False)
class Leaving:
    """The order in which runs leave, the last of them the best. For each: how far behind is the furthest while it is
    still in, and how far chance puts the furthest in each draw, the largest LEVEL of which is `critical`.
    """

    order: tuple[int, ...]
    p: Floats
    critical: Floats


def confidence_set(values: Floats, drawn: Floats, how: DrawnSums = ITEM_BY_ITEM) -> Floats:
    """The p of each run, shape (runs,): those above LEVEL cannot be told from the best. More is better.

    `values` has shape (runs,) and `drawn` (draws, runs): the same over drawn items, the same items for all runs.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.8, 0.79, 0.5])
    >>> [bool(p > LEVEL) for p in confidence_set(values, values + rng.normal(0, 0.02, (1000, 3)))]
    [True, True, False]
    """
    return leaving(values, drawn, how).p


def leaving(values: Floats, drawn: Floats, how: DrawnSums = ITEM_BY_ITEM) -> Leaving:
    """Of runs that leave later, none is less sure to be apart than those before it."""
    behind, error = _behind(values, drawn, how), errors(drawn)
    order, furthest = _order(behind)
    apart, reached = drawn - values, np.zeros(len(drawn))
    p, critical = np.ones(len(values)), np.zeros(len(values))
    for place in range(len(order) - 2, -1, -1):
        leaves, others = order[place], list(order[place + 1 :])
        reached = np.maximum(reached, _by_chance(apart, leaves, others, error).max(axis=1))
        p[leaves] = (1 + int((reached >= furthest[place] - 1e-12).sum())) / (1 + len(reached))
        critical[leaves] = np.quantile(reached, 1 - LEVEL)
    p[list(order)] = np.maximum.accumulate(p[list(order)])
    return Leaving(order, p, critical)


def errors(drawn: Floats) -> Floats:
    """The standard error of each pair's difference, shape (runs, runs); 0 where it is the same in every draw."""
    middled = drawn - drawn.mean(axis=0)
    together = middled.T @ middled / max(1, len(drawn))
    alone = np.diag(together)
    both = alone[:, None] + alone
    found = both - 2 * together
    return np.asarray(np.sqrt(np.where(found > np.maximum(1e-24, 1e-10 * both), found, 0.0)))


def _order(behind: Floats) -> tuple[tuple[int, ...], list[float]]:
    left, order, furthest = list(range(len(behind))), [], []
    while left:
        rows = behind[np.ix_(left, left)].max(axis=1)
        place = int(rows.argmax())
        furthest.append(float(rows[place]))
        order.append(left.pop(place))
    return tuple(order), furthest


def _behind(values: Floats, drawn: Floats, how: DrawnSums) -> Floats:
    """How far each run (row) is behind each other (column), in standard errors."""
    behind, error = values[None, :] - values[:, None], errors(drawn)
    surely = np.copysign(np.maximum(np.abs(behind) - how.step, 0.0), behind)
    # Two runs that differ by the same in every draw are apart for certain.
    certain = np.where(np.abs(behind) > 1e-12, np.copysign(np.inf, behind), 0.0)
    scaled = _of_few(surely / np.where(error > 0, error, 1.0), how.groups)
    return np.where(error > 0, scaled, certain) * counts_for(how.share_in)


def _by_chance(apart: Floats, one: int, others: list[int], error: Floats) -> Floats:
    """How far chance alone puts a run from others in each draw, in standard errors: (draws, others)."""
    sure = error[one, others]
    return np.abs(apart[:, [one]] - apart[:, others]) * np.where(sure > 0, 1 / np.where(sure > 0, sure, 1.0), 0.0)


def _of_few(errors: Floats, groups: float) -> Floats:
    """Standard errors by draws of groups, as normal ones that are as rare."""
    if not groups:
        return errors
    freedom = max(1.0, groups - 1)
    rare = tails.of_t(np.abs(errors) * (freedom / (freedom + 1)) ** 0.5, freedom)
    return np.asarray(np.copysign(tails.z_of(rare), errors))


def lead(values: Floats, drawn: Floats, how: DrawnSums = ITEM_BY_ITEM, *, n: int) -> Estimate:
    """How far the better of two runs is ahead on `n` items, with the interval of the set's own test.

    It holds 0 exactly where the two cannot be separated, and is wider while labels come in.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.6, 0.8])
    >>> lead(values, values + rng.normal(0, 0.05, (1000, 2)), n=60).short
    '.20 [.06, .34]'
    """
    found, error = leaving(values, drawn, how), float(errors(drawn)[0, 1])
    ahead = float(abs(values[0] - values[1]))
    if error == 0:
        return Estimate(ahead, n=n, no_interval="both differ by the same in every draw")
    far = float(found.critical[found.order[0]]) / counts_for(how.share_in)
    if how.groups:
        freedom = max(1.0, how.groups - 1)
        far = float(tails.t_of(tails.of_normal(far), freedom)) * ((freedom + 1) / freedom) ** 0.5
    return Estimate(ahead, ahead - far * error - how.step, ahead + far * error + how.step, n=n)


def at_once(values: Floats, drawn: Floats) -> float:
    """How many standard errors hold every run's value at once in 95 of 100 draws: 1.96 for one run alone.

    The interval of the run that happens to be first must be so wide: it was chosen for its luck, too.

    >>> rng = np.random.default_rng(1)
    >>> round(at_once(np.zeros(26), rng.normal(0, 1, (20_000, 26))), 1)
    3.1
    """
    if drawn.shape[1] < 2:
        return Z
    error = drawn.std(axis=0)
    far = np.abs(drawn - values) * np.where(error > 1e-12, 1 / np.where(error > 1e-12, error, 1.0), 0.0)
    return max(Z, float(np.quantile(far.max(axis=1), 1 - LEVEL)))


def chances(drawn: Floats) -> Floats:
    """The share of draws in which each run is the best, shape (runs,); equal ones share a draw.

    >>> chances(np.array([[0.9, 0.8], [0.7, 0.7]]))
    array([0.75, 0.25])
    """
    top = drawn == drawn.max(axis=1, keepdims=True)
    return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))


def ranks(values: Floats, drawn: Floats, how: DrawnSums = ITEM_BY_ITEM) -> list[tuple[int, int]]:
    """The range of ranks that chance leaves open to each run: 1 is in it where the run cannot be told from the best.

    Of simultaneous comparisons of all pairs (Mogstad, Romano, Shaikh and Wilhelm 2024): a run comes after all that are
    ahead of it for certain and before all that are behind it. Only the confidence set says who may be the best.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.8, 0.79, 0.5])
    >>> ranks(values, values + rng.normal(0, 0.02, (1000, 3)))
    [(1, 2), (1, 2), (3, 3)]
    """
    behind = _surely_behind(values, drawn, how)
    after, before = behind.sum(axis=1), behind.sum(axis=0)
    best = confidence_set(values, drawn, how) > LEVEL
    lows = np.where(best, 1, np.maximum(after + 1, 2))
    return [(int(low), int(high)) for low, high in zip(lows, len(values) - before, strict=True)]


def _surely_behind(values: Floats, drawn: Floats, how: DrawnSums) -> NDArray[np.bool_]:
    """Which run (row) is behind which (column), shape (runs, runs), all of it at once at LEVEL.

    By steps (Romano and Wolf 2005): pairs that are apart no longer count among those that chance could put apart.
    """
    behind, error, away = _behind(values, drawn, how), errors(drawn), drawn - values
    apart = np.zeros(behind.shape, dtype=bool)
    while True:
        largest = np.zeros(len(drawn))
        for one in range(len(values) - 1):
            if others := [other for other in range(one + 1, len(values)) if not apart[one, other]]:
                largest = np.maximum(largest, _by_chance(away, one, others, error).max(axis=1))
        reached = len(largest) - np.searchsorted(np.sort(largest), np.abs(behind) - 1e-12)
        found = ((1 + reached) / (1 + len(largest)) <= LEVEL) & (behind != 0)
        if not (found & ~apart).any():
            return np.asarray(found & (behind > 0))
        apart |= found
