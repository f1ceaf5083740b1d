"""Which runs cannot be told from the best: the model confidence set (Hansen, Lunde and Nason 2011).

Econometrica 79: 453–497, section 3.1.2: the range statistic T_R, the largest of all pairs' studentized differences, is
held against its distribution over drawn items; while it is too large for chance, the run that lies furthest behind
another leaves (their e_R). All runs that are truly best stay together with a probability of 95 % or more, unlike the
intervals of multiple comparisons with the best (Hsu 1981), which hold one best run at a time. Hits come in whole
items, which makes few items coarse: a difference is taken for smaller by half its least step (Edwards 1948).

Draws of few groups of items vary too little: a difference counts for as many normal standard errors as are as rare as
it is by Student's t, and by √(k / (k − 1)) (Hesterberg 2015, section 5.3.2), where k is what the groups are worth.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from comparison.statistics.counts import Floats

LEVEL = 0.05
# Two runs that may change places group by group are apart by one and the same in every group in 2 of 2^k ways: of 5
# groups that is more than LEVEL, so that no run can be told from another.
FEWEST_GROUPS = 6


def confidence_set(values: Floats, drawn: Floats, *, step: float = 0.0, groups: float = 0.0) -> Floats:
    """The p of each run, shape (runs,): those above LEVEL cannot be told from the best. More is better.

    `values` has shape (runs,) and `drawn` (draws, runs): the same over drawn items, the same items for all runs. `step`
    is what one item adds to a value; 0 where values do not come in steps. `groups`: what the groups drawn are worth (of
    equal size their number); 0 where items are drawn one by one.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.8, 0.79, 0.5])
    >>> [bool(p > LEVEL) for p in confidence_set(values, values + rng.normal(0, 0.02, (1000, 3)))]
    [True, True, False]
    """
    p, left, reached = np.ones(len(values)), list(range(len(values))), 0.0
    while len(left) > 1:
        behind, pairs = _pairs(values[left], drawn[:, left], step, groups)
        furthest, chance = float(behind.max()), pairs.max(axis=(1, 2))
        share = (1 + int((chance >= furthest - 1e-12).sum())) / (1 + len(chance))
        # Of runs that leave later, none is less sure to be apart than those before it.
        reached = max(reached, share)
        leaving = left[int(behind.max(axis=1).argmax())]
        p[leaving] = reached
        left.remove(leaving)
    return p


def _pairs(values: Floats, drawn: Floats, step: float, groups: float) -> tuple[Floats, Floats]:
    """How far each run is behind each other, in standard errors, and how far chance alone puts them in each draw."""
    behind = values[None, :] - values[:, None]
    apart = drawn[:, None, :] - drawn[:, :, None]
    error = apart.std(axis=0)
    known = error > 1e-12
    safe = np.where(known, error, 1.0)
    # Two runs that differ by the same in every draw are apart for certain.
    surely = np.copysign(np.maximum(np.abs(behind) - step, 0.0), behind)
    certain = np.where(np.abs(behind) > 1e-12, np.copysign(np.inf, behind), 0.0)
    scaled = np.where(known, _of_few(surely / safe, groups), certain)
    return scaled, np.where(known, np.abs(apart - behind) / safe, 0.0)


def _of_few(errors: Floats, groups: float) -> Floats:
    """Standard errors by draws of groups, as normal ones that are as rare."""
    if not groups:
        return errors
    freedom = max(1.0, groups - 1)
    rare = t.sf(np.abs(errors) * (freedom / (freedom + 1)) ** 0.5, freedom)
    return np.asarray(np.copysign(norm.isf(rare), errors))


def chances(drawn: Floats) -> Floats:
    """The share of draws in which each run is the best, shape (runs,); equal ones share a draw.

    >>> chances(np.array([[0.9, 0.8], [0.7, 0.7]]))
    array([0.75, 0.25])
    """
    top = drawn == drawn.max(axis=1, keepdims=True)
    return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))


def ranks(values: Floats, drawn: Floats, *, step: float = 0.0, groups: float = 0.0) -> list[tuple[int, int]]:
    """The range of ranks that chance leaves open to each run: 1 is in it where the run cannot be told from the best.

    Of simultaneous comparisons of all pairs (Mogstad, Romano, Shaikh and Wilhelm 2024): a run comes after all that are
    ahead of it for certain and before all that are behind it. Only the confidence set says who may be the best.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.8, 0.79, 0.5])
    >>> ranks(values, values + rng.normal(0, 0.02, (1000, 3)))
    [(1, 2), (1, 2), (3, 3)]
    """
    behind = _surely_behind(values, drawn, step, groups)
    after, before = behind.sum(axis=1), behind.sum(axis=0)
    best = confidence_set(values, drawn, step=step, groups=groups) > LEVEL
    lows = np.where(best, 1, np.maximum(after + 1, 2))
    return [(int(low), int(high)) for low, high in zip(lows, len(values) - before, strict=True)]


def _surely_behind(values: Floats, drawn: Floats, step: float, groups: float) -> NDArray[np.bool_]:
    """Which run (row) is behind which (column), shape (runs, runs), all of it at once at LEVEL.

    By steps (Romano and Wolf 2005): pairs that are apart no longer count among those that chance could put apart.
    """
    behind, chance = _pairs(values, drawn, step, groups)
    apart = np.zeros(behind.shape, dtype=bool)
    while True:
        largest = np.where(apart, 0.0, chance).max(axis=(1, 2), initial=0.0)
        reached = (largest[:, None, None] >= np.abs(behind) - 1e-12).sum(axis=0)
        found = ((1 + reached) / (1 + len(largest)) <= LEVEL) & (behind != 0)
        if not (found & ~apart).any():
            return np.asarray(found & (behind > 0))
        apart |= found
