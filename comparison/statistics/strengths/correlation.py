"""Does a run's strength rise with people's labels? Spearman's rank correlation, for runs with or without decisions.

Pearson's r: how near two numbers of items lie to a line (Pearson 1896).
"""

import math
from dataclasses import replace

import numpy as np
from scipy.stats import norm, rankdata, spearmanr

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.clusters import NO_EFFECT, design_effect
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.fisher import standard, with_interval
from comparison.statistics.strengths.pairs import Pairs

# Bonett and Wright's standard error divides by n - 3.
FEWEST = 4
Z = 1.959963984540054
ALIKE = "every item has the same strength"


def pearson(pairs: Pairs, *, sample: Sample = ITEMS) -> Estimate:
    """r with Fisher's interval, whose standard error of z is 1 / √(n − 3) (Fisher 1921) or larger (fisher.py).

    >>> from comparison.statistics.strengths.pairs import pairs
    >>> str(pearson(pairs(np.array([1.0, 2, 3, 4, 5, 6]), np.array([2.0, 1, 4, 3, 6, 5]))))
    '.8 [.1, 1.0], n = 6'
    """
    if pairs.undefined:
        return Estimate.none(pairs.undefined, n=pairs.n)
    one, other = standard(pairs.one), standard(pairs.other)
    r = float(np.clip((one * other).mean(), -1, 1))
    # Of numbers on one line rounding errors leave the last digit.
    r = round(r) if abs(r) > 1 - 1e-12 else r
    influence = np.asarray(one * other - r * (one**2 + other**2) / 2)
    return with_interval(r, influence, _formula, sample=pairs.of(sample))


def _formula(worth: float) -> float:
    return 1 / math.sqrt(worth - 3) if worth > 3 else math.inf


def people_score(counts: Ints, *, ordered: bool) -> Floats:
    """Each item's mean degree (1 is lowest) on an ordered scale, else the share of the scale's first value.

    Counts have shape (items, values). NaN marks items without labels; it is left out below, never shown.

    >>> people_score(np.array([[2, 0, 0], [0, 1, 1], [0, 0, 0]]), ordered=True)
    array([1. , 2.5, nan])
    """
    totals = counts.sum(axis=1).astype(np.float64)
    degrees = np.arange(1, counts.shape[1] + 1) if ordered else np.eye(counts.shape[1])[0]
    scores: Floats = np.divide(counts @ degrees, totals, out=np.full(len(counts), np.nan), where=totals > 0)
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
        return Estimate.none(f"fewer than {FEWEST} items have both a strength and a label", n=n)
    if np.ptp(one) == 0:
        return Estimate.none(ALIKE, n=n)
    if np.ptp(other) == 0:
        return Estimate.none("every item has the same label", n=n)
    rho = max(-1.0, min(1.0, float(spearmanr(one, other).statistic)))
    if abs(rho) == 1:
        return Estimate(
            rho, n=n, no_interval="the two rankings are the same" if rho > 0 else "one ranking is the other reversed"
        )
    effect = NO_EFFECT if sample.clusters is None else design_effect(_influence(one, other, rho), sample.clusters[both])
    worth = n / effect.value
    if effect.undefined or worth <= FEWEST - 1:
        return Estimate(rho, n=n, no_interval=effect.undefined or f"the items are worth fewer than {FEWEST}")
    reach = Z if effect is NO_EFFECT else float(norm.isf(effect.alpha / 2))
    error = math.sqrt((1 + rho**2 / 2) / (worth - 3))
    z = math.atanh(rho)
    return Estimate(rho, math.tanh(z - reach * error), math.tanh(z + reach * error), n=n, note=effect.words)


def of_two(one: Floats, other: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """ρ of two runs' strengths, over items that have both.

    >>> of_two(np.ones(5), np.arange(5.0)).undefined
    'one of the two has the same strength for every item'
    """
    found = spearman(one, other, sample=sample)
    if not found.undefined:
        return found
    if found.n < FEWEST:
        return replace(found, undefined=f"fewer than {FEWEST} items have both strengths")
    return replace(found, undefined="one of the two has the same strength for every item")


def _influence(one: Floats, other: Floats, rho: float) -> Floats:
    """What each item adds to the correlation of the ranks: z₁z₂ − ρ (z₁² + z₂²) / 2, whose mean is 0."""
    first, second = (_standard(rankdata(column)) for column in (one, other))
    return np.asarray(first * second - rho * (first**2 + second**2) / 2)


def _standard(ranks: Floats) -> Floats:
    return np.asarray((ranks - ranks.mean()) / ranks.std())
