"""Which runs cannot be told from the best: the model confidence set (Hansen, Lunde and Nason 2011).

Econometrica 79: 453–497, section 3.1.2: the range statistic T_R, the largest of all pairs' studentized differences, is
held against its distribution over drawn items; while it is too large for chance, the run that lies furthest behind
another leaves (their e_R). All runs that are truly best stay together with a probability of 95 % or more, unlike the
intervals of multiple comparisons with the best (Hsu 1981), which hold one best run at a time. Hits come in whole
items, which makes few items coarse: a difference is taken for smaller by half its least step (Edwards 1948).
"""

import numpy as np

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
        behind, chance = _studentized(values[left], drawn[:, left], step)
        furthest = float(behind.max())
        share = (1 + int((chance >= furthest - 1e-12).sum())) / (1 + len(chance))
        # Of runs that leave later, none is less sure to be apart than those before it.
        reached = max(reached, share)
        leaving = left[int(behind.max(axis=1).argmax())]
        p[leaving] = reached
        left.remove(leaving)
    return p


def _studentized(values: Floats, drawn: Floats, step: float) -> tuple[Floats, Floats]:
    """How far each run is behind each other, in standard errors, and the largest of all pairs in each draw."""
    behind = values[None, :] - values[:, None]
    apart = drawn[:, None, :] - drawn[:, :, None]
    error = apart.std(axis=0)
    known = error > 1e-12
    safe = np.where(known, error, 1.0)
    # Two runs that differ by the same in every draw are apart for certain.
    surely = np.copysign(np.maximum(np.abs(behind) - step, 0.0), behind)
    certain = np.where(np.abs(behind) > 1e-12, np.copysign(np.inf, behind), 0.0)
    scaled = np.where(known, surely / safe, certain)
    largest = np.where(known, np.abs(apart - behind) / safe, 0.0).max(axis=(1, 2))
    return scaled, largest


def chances(drawn: Floats) -> Floats:
    """The share of draws in which each run is the best, shape (runs,); equal ones share a draw.

    >>> chances(np.array([[0.9, 0.8], [0.7, 0.7]]))
    array([0.75, 0.25])
    """
    top = drawn == drawn.max(axis=1, keepdims=True)
    return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))


def ranks(drawn: Floats) -> list[tuple[int, int]]:
    """The range that holds each run's rank in 95 % of the draws; equal runs span their places.

    >>> ranks(np.array([[0.9, 0.8], [0.7, 0.7]]))
    [(1, 2), (1, 2)]
    """
    above = (drawn[:, None, :] > drawn[:, :, None]).sum(axis=2)
    level = (drawn[:, None, :] == drawn[:, :, None]).sum(axis=2)
    lows = np.percentile(above + 1, 2.5, axis=0, method="inverted_cdf")
    highs = np.percentile(above + level, 97.5, axis=0, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in zip(lows, highs, strict=True)]
