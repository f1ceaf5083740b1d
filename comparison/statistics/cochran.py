"""Whether any of several runs is right more often than the others on the same items: Cochran's Q.

Cochran 1950 (Biometrika 37: 256–266, equation 3), on the items that all of them label. If the runs are equally good,
which of them are right on an item is a matter of chance. Q is held against χ² with runs − 1 degrees of freedom; where
few items tell the runs apart (Tate and Brown 1970: fewer than 24 answers on them), against all ways, or many drawn
ones, in which the answers on each item could have fallen to the runs. Where items hang together in clusters, a
cluster's sums stand for its items: the same formula (Friedman's, of sums) and the same permutations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import factorial

import numpy as np
import scipy as sp

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.pairs import p_in_words
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import ITEMS, Sample

TOO_FEW_RUNS = "fewer than two runs give labels"
NOTHING_SHARED = "no item with a target is labeled by all runs"
NEVER_APART = "all runs are right on the same items"
# χ² is near enough from so many answers, on at least so many items that tell the runs apart (Tate and Brown 1970).
ANSWERS, TELLING = 24, 4
# What an exact distribution may cost, in steps; beyond it, ways are drawn.
STEPS, DRAWN = 100_000, 20_000
BY_GROUPS = "by groups of items (a group’s sum stands for its items)"
EXACT, RANDOM, CHI2 = "exact, all permutations", "20,000 random permutations", "χ²"


@dataclass(frozen=True, slots=True)
class CochranQ:
    """`telling` are the items (or groups of items) on which not all runs do alike. No `p`: `undefined` says why."""

    q: float | None
    runs: int
    n: int
    telling: int
    p: float | None
    how: str = ""
    undefined: str = ""
    by_groups: bool = False

    @property
    def form(self) -> str:
        """Where items have groups, what was computed is of groups and not of items; empty otherwise."""
        return BY_GROUPS if self.by_groups else ""

    @property
    def words(self) -> str:
        if self.q is None or self.p is None:
            return f"undefined: {self.undefined}"
        return f"Q({self.runs - 1}) = {self.q:.2f}, {p_in_words(self.p)} ({self.how})"


def cochran_q(runs: Sequence[Ints], truth: Ints, *, sample: Sample = ITEMS) -> CochranQ:
    """Each run's decisions and what is true, as codes of shape (items,).

    >>> truth = np.zeros(8, dtype=int)
    >>> cochran_q([truth, truth, truth + 1], truth).words
    'Q(2) = 16.00, p < .001 (χ²)'
    """
    if len(runs) < 2:
        return CochranQ(None, len(runs), 0, 0, None, undefined=TOO_FEW_RUNS)
    decided = np.column_stack(runs)
    shared = (decided != MISSING).all(axis=1) & (truth != MISSING)
    n = sample.size(shared)
    if not n:
        return CochranQ(None, len(runs), 0, 0, None, undefined=NOTHING_SHARED)
    right = (decided[shared] == truth[shared, None]).astype(np.float64)
    rows, times = sample.where(shared).units(right)
    telling = np.ptp(rows, axis=1) > 0
    rows, times = rows[telling], times[telling]
    if not len(rows):
        return CochranQ(None, len(runs), n, 0, None, undefined=NEVER_APART)
    return replace(_of_rows(rows, times, n), by_groups=sample.clusters is not None)


def _of_rows(rows: Floats, times: Ints, n: int) -> CochranQ:
    """Different rows of runs' right answers, and how often each is there."""
    k, units = rows.shape[1], int(times.sum())
    within = float(times @ ((rows - rows.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
    spread = _spread(times @ rows)
    q = (k - 1) * spread / within
    if units >= TELLING and units * k >= ANSWERS:
        return CochranQ(q, k, n, units, float(sp.stats.chi2.sf(q, k - 1)), CHI2)
    each = np.repeat(rows, times, axis=0)
    p = _exact(each, spread)
    return CochranQ(q, k, n, units, _drawn(each, spread) if p is None else p, RANDOM if p is None else EXACT)


def _spread(sums: Floats) -> float:
    return float(((sums - sums.mean()) ** 2).sum())


def _exact(rows: Floats, observed: float) -> float | None:
    """The share of permutations within rows with as much spread (order is irrelevant); None if there are too many."""
    states: dict[tuple[float, ...], float] = {(0.0,) * rows.shape[1]: 1.0}
    if factorial(rows.shape[1]) > STEPS:
        return None
    for row in rows:
        ways = set(permutations(row.tolist()))
        if len(states) * len(ways) > STEPS:
            return None
        after: dict[tuple[float, ...], float] = {}
        for sums, probability in states.items():
            for way in ways:
                key = tuple(sorted(one + more for one, more in zip(sums, way, strict=True)))
                after[key] = after.get(key, 0.0) + probability / len(ways)
        states = after
    return min(1.0, sum(p for sums, p in states.items() if _spread(np.array(sums)) >= observed - 1e-9))


def _drawn(rows: Floats, observed: float) -> float:
    """The share of random permutations with as much spread, counting the observed one (Phipson and Smyth 2010)."""
    rng = np.random.default_rng((SEED, len(rows)))
    sums = sum(rng.permuted(np.tile(row, (DRAWN - 1, 1)), axis=1) for row in rows)
    spreads = ((sums - np.mean(sums, axis=1, keepdims=True)) ** 2).sum(axis=1)
    return float((1 + (spreads >= observed - 1e-9).sum()) / DRAWN)
