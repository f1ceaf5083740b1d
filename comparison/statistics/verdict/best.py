"""Which runs cannot be told from the best: the model confidence set (Hansen, Lunde and Nason 2011).

Econometrica 79: 453–497, section 3.1.2: the range statistic T_R, the largest of all pairs' studentized differences, is
held against its distribution over drawn items; while it is too large for chance, the run that lies furthest behind
another leaves (their e_R). All runs that are truly best stay together with a probability of 95 % or more, unlike the
intervals of multiple comparisons with the best (Hsu 1981), which hold one best run at a time. Hits come in whole
items, which makes few items coarse: a difference is taken for smaller by half its least step (Edwards 1948).
"""

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.counts import Floats

LEVEL = 0.05


def confidence_set(values: Floats, drawn: Floats, *, step: float = 0.0) -> Floats:
    """The p of each run, shape (runs,): those above LEVEL cannot be told from the best. More is better.

    `values` has shape (runs,) and `drawn` (draws, runs): the same over drawn items, the same items for all runs. `step`
    is what one item adds to a value; 0 where values do not come in steps.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.8, 0.79, 0.5])
    >>> [bool(p > LEVEL) for p in confidence_set(values, values + rng.normal(0, 0.02, (1000, 3)))]
    [True, True, False]
    """
    p, left, reached = np.ones(len(values)), list(range(len(values))), 0.0
    while len(left) > 1:
        behind, pairs = _pairs(values[left], drawn[:, left], step)
        furthest, chance = float(behind.max()), pairs.max(axis=(1, 2))
        share = (1 + int((chance >= furthest - 1e-12).sum())) / (1 + len(chance))
        # Of runs that leave later, none is less sure to be apart than those before it.
        reached = max(reached, share)
        leaving = left[int(behind.max(axis=1).argmax())]
        p[leaving] = reached
        left.remove(leaving)
    return p


def _pairs(values: Floats, drawn: Floats, step: float) -> tuple[Floats, Floats]:
    """How far each run is behind each other, in standard errors, and how far chance alone puts them in each draw."""
    behind = values[None, :] - values[:, None]
    apart = drawn[:, None, :] - drawn[:, :, None]
    error = apart.std(axis=0)
    known = error > 1e-12
    safe = np.where(known, error, 1.0)
    # Two runs that differ by the same in every draw are apart for certain.
    surely = np.copysign(np.maximum(np.abs(behind) - step, 0.0), behind)
    certain = np.where(np.abs(behind) > 1e-12, np.copysign(np.inf, behind), 0.0)
    scaled = np.where(known, surely / safe, certain)
    return scaled, np.where(known, np.abs(apart - behind) / safe, 0.0)


def chances(drawn: Floats) -> Floats:
    """The share of draws in which each run is the best, shape (runs,); equal ones share a draw.

    >>> chances(np.array([[0.9, 0.8], [0.7, 0.7]]))
    array([0.75, 0.25])
    """
    top = drawn == drawn.max(axis=1, keepdims=True)
    return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))


def ranks(values: Floats, drawn: Floats, *, step: float = 0.0) -> list[tuple[int, int]]:
    """The range of ranks that chance leaves open to each run: 1 is in it where the run cannot be told from the best.

    Of simultaneous comparisons of all pairs (Mogstad, Romano, Shaikh and Wilhelm 2024): a run comes after all that are
    ahead of it for certain and before all that are behind it. Only the confidence set says who may be the best.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.8, 0.79, 0.5])
    >>> ranks(values, values + rng.normal(0, 0.02, (1000, 3)))
    [(1, 2), (1, 2), (3, 3)]
    """
    behind = _surely_behind(values, drawn, step)
    after, before = behind.sum(axis=1), behind.sum(axis=0)
    best = confidence_set(values, drawn, step=step) > LEVEL
    lows = np.where(best, 1, np.maximum(after + 1, 2))
    return [(int(low), int(high)) for low, high in zip(lows, len(values) - before, strict=True)]


def _surely_behind(values: Floats, drawn: Floats, step: float) -> NDArray[np.bool_]:
    """Which run (row) is behind which (column), shape (runs, runs), all of it at once at LEVEL.

    By steps (Romano and Wolf 2005): pairs that are apart no longer count among those that chance could put apart.
    """
    behind, chance = _pairs(values, drawn, step)
    apart = np.zeros(behind.shape, dtype=bool)
    while True:
        largest = np.where(apart, 0.0, chance).max(axis=(1, 2), initial=0.0)
        reached = (largest[:, None, None] >= np.abs(behind) - 1e-12).sum(axis=0)
        found = ((1 + reached) / (1 + len(largest)) <= LEVEL) & (behind != 0)
        if not (found & ~apart).any():
            return np.asarray(found & (behind > 0))
        apart |= found
