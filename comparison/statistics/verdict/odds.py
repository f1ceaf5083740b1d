"""Whether a run is better than chance, and by more than favoring common labels: exact tests on the items.

- Against chance a run that is no better answers each item with any of the options alike. Its hits are binomial; its sum
  of distances has the distribution of a sum of independent numbers, which is had exactly by a Fourier transform
  (Hong 2013, Computational Statistics & Data Analysis 59: 41–51, for hits of unequal chances). Where items hang
  together in groups the larger p is taken, of this and of one on the groups' sums: from eight groups on each sum may
  have had either sign (chance.py), where chance makes none larger on the side that is asked for; else bets on
  the sums, of no shape (chance.py).
- A run that knows only which label is common comes as near with its labels dealt out over the items in any other
  order: the permutation test (Fisher 1935; Pitman 1937), with the labels of both as common as they are
  (chance.py). Of two options it is Fisher's exact test of the table.
- Quadratic κ is above 0, where chance and every constant lie, by that test of the sum of the labels' products.
- The best constant answers the same items: where it is nearer is told by McNemar's test (1947) in its exact form, or by
  the sign-flip test of differences (Fisher 1935, section 21), of which McNemar's is the case where all are one
  (chance.py), for as many constants as it was chosen from. With groups, differences are those of whole groups.

Degrees by cut points know how common each label is: where one is common, degrees that have nothing to do with the
items reach more than 1 / options. Chance for such a run is its own degrees dealt out over the items at random, by the
same permutation test, on either side.

All are one-sided.
"""

from dataclasses import dataclass

import numpy as np
import scipy as sp

from comparison.statistics.chance import at_least, dealt, of_groups
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.sample import Sample, cluster_sums
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA, Measure

LEVEL = 0.05
# Of fewer groups all signs that may be given say too little.
ENOUGH_GROUPS = 8
# Chance is as often on either side, but for rounding.
SYMMETRIC = 1e-9


@dataclass(frozen=True, slots=True)
class Constant:
    """The one label that, given to every item, comes nearest to the truth, and how near.

    `beats_chance`: by the exact test, for as many labels as it was chosen from.
    """

    code: int
    value: float
    beats_chance: bool


def chance(measure: Measure, truth: Ints, values: int, sample: Sample) -> float:
    """What answers drawn alike from all options reach on average.

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> chance(measure_of("accuracy", ordered=False), np.array([0, 1]), 2, Sample())
    0.5
    """
    if measure.key == ACCURACY:
        return 1 / values
    if measure.key == KAPPA:
        return 0.0
    return sample.total(_distances(values)[truth].mean(axis=1)) / sample.size(np.ones(len(truth), dtype=bool))


def best_constant(measure: Measure, truth: Ints, values: int, sample: Sample) -> Constant | None:
    """None for κ, by which every constant is worth chance. Of equally good ones, the lowest code."""
    if measure.key == KAPPA:
        return None
    sums = [sample.sums(measure.columns(np.full_like(truth, code), truth, values)) for code in range(values)]
    reached = [float(measure.of_sums(row[None])[0]) for row in sums]
    code = int(np.argmax(measure.sign * np.array(reached)))
    p = values * against_chance(measure, np.full_like(truth, code), truth, values, sample)
    return Constant(code, reached[code], beats_chance=p <= LEVEL)


def dealt_out(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample, *, side: int = 1) -> float:
    """The probability of coming as near, or nearer, with the same labels in another order; κ's own test is that.

    With the `side` of -1, of coming as far off, or farther.
    """
    return dealt(side * _each(measure, values), decided, truth, sample)


def chance_of_dealt(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample) -> float:
    """What the same labels reach on average, dealt out over the items.

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> codes = np.array([0, 0, 0, 1])
    >>> chance_of_dealt(measure_of("accuracy", ordered=True), codes, codes, 2, Sample())
    0.625
    """
    if measure.key == KAPPA:
        return 0.0
    weights = np.ones(len(truth)) if sample.weights is None else sample.weights
    said, true = (np.bincount(codes, weights=weights, minlength=values) for codes in (decided, truth))
    return float(measure.sign * (said @ _each(measure, values) @ true) / weights.sum() ** 2)


def against_chance(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample) -> float:
    """The probability of coming as near by chance, or nearer.

    Three of three in a two-way choice:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> codes = np.array([0, 1, 1])
    >>> float(against_chance(measure_of("accuracy", ordered=False), codes, codes, 2, Sample()))
    0.125
    """
    if measure.key == KAPPA:
        return dealt_out(measure, decided, truth, values, sample)
    n = sample.size(np.ones(len(truth), dtype=bool))
    reached = sample.total(_gains(measure, decided, truth))
    if measure.key == ACCURACY:
        p = float(sp.stats.binom.sf(reached - 1, n, 1 / values))
    else:
        p = _at_most(*_by_chance(truth, values, sample), round(-reached))
    return max(p, _over_groups(measure, decided, truth, values, sample, side=1))


def below_chance(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample) -> float:
    """The probability of coming as far off by chance, or farther: the other side of `against_chance`.

    None of three in a two-way choice:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> codes = np.array([0, 1, 1])
    >>> float(below_chance(measure_of("accuracy", ordered=False), codes, 1 - codes, 2, Sample()))
    0.125
    """
    if measure.key == KAPPA:
        return dealt_out(measure, decided, truth, values, sample, side=-1)
    n = sample.size(np.ones(len(truth), dtype=bool))
    reached = sample.total(_gains(measure, decided, truth))
    if measure.key == ACCURACY:
        p = float(sp.stats.binom.cdf(reached, n, 1 / values))
    else:
        p = 1.0 - _at_most(*_by_chance(truth, values, sample), round(-reached) - 1)
    return max(p, _over_groups(measure, decided, truth, values, sample, side=-1))


def constant_is_nearer(
    measure: Measure, constant: Constant, decided: Ints, truth: Ints, values: int, sample: Sample
) -> float:
    """The probability of the constant being as much nearer, or more, if the two may change places.

    Places change item by item, or group by group where items hang together.
    """
    leads = _gains(measure, np.full_like(truth, constant.code), truth) - _gains(measure, decided, truth)
    return min(1.0, values * _by_signs(leads, sample))


def _by_signs(leads: Ints, sample: Sample) -> float:
    if sample.clusters is None:
        return at_least(leads, weights=sample.weights)
    return at_least(np.rint(cluster_sums(leads[:, None].astype(np.float64), sample.clusters)[:, 0]).astype(np.int64))


def _distances(values: int) -> Floats:
    codes = np.arange(values, dtype=np.float64)
    return np.abs(codes[:, None] - codes)


def _gains(measure: Measure, decided: Ints, truth: Ints) -> Ints:
    """What an item adds to nearness, in whole steps; by κ, where the labels rise together."""
    if measure.key == KAPPA:
        return np.asarray(decided * truth, dtype=np.int64)
    return np.asarray(-np.abs(decided - truth) if measure.key == DISTANCE else decided == truth, dtype=np.int64)


def _each(measure: Measure, values: int) -> Ints:
    """What an item adds to nearness, for each label decided by each that is true."""
    codes = np.arange(values)
    return np.broadcast_to(_gains(measure, codes[:, None], codes), (values, values))


def _by_chance(truth: Ints, values: int, sample: Sample) -> tuple[list[Floats], list[int]]:
    """For each true label, how probable each distance is by chance, and how many items have it."""
    steps = [np.bincount(row.astype(np.int64), minlength=values) / values for row in _distances(values)]
    return steps, [sample.size(truth == code) for code in range(values)]


def _over_groups(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample, *, side: int) -> float:
    """p by groups' sums, on the side of better (1) or worse (-1); 0 where items stand for themselves."""
    if sample.clusters is None or (groups := len(np.unique(sample.clusters))) == len(truth):
        return 0.0
    each = side * _each(measure, values)
    mean, least, spread = each.mean(axis=0), each.min(axis=0), each.std(axis=0)
    apart = each - mean
    if groups >= ENOUGH_GROUPS and (apart**3).mean(axis=0)[truth].sum() > -SYMMETRIC * len(truth):
        # In whole numbers, as sums over options are.
        return _by_signs(np.rint(values * apart[decided, truth]).astype(np.int64), sample)
    return of_groups(apart[decided, truth], (least - mean)[truth], spread[truth], sample.clusters)


def _at_most(steps: list[Floats], each: list[int], most: int) -> float:
    """P(sum ≤ most) where each[i] independent numbers 0, 1, … have the probabilities steps[i]."""
    length = sum((len(step) - 1) * times for step, times in zip(steps, each, strict=True)) + 1
    transformed = np.ones(length // 2 + 1, dtype=np.complex128)
    for step, times in zip(steps, each, strict=True):
        if times:
            transformed *= np.fft.rfft(step, n=length) ** times
    return float(np.clip(np.fft.irfft(transformed, n=length)[: most + 1].sum(), 0.0, 1.0))
