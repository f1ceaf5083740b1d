"""Whether a run is better than chance, and better than one label for everything: exact tests on the items.

- Against chance a run that is no better answers each item with any of the options alike. Its hits are binomial; its sum
  of distances has the distribution of a sum of independent numbers, which is had exactly by a Fourier transform
  (Hong 2013, Computational Statistics & Data Analysis 59: 41–51, for hits of unequal chances).
- Against the best constant the same items are answered by both: hits by McNemar's test (1947) in its exact form,
  distances by the sign-flip test of their differences (Fisher 1935, section 21), of which McNemar's is the case where
  all are one.
- Quadratic κ is above 0, where chance and every constant lie, if the labels rise together: the permutation test of
  their correlation, by its t approximation (Pitman 1937).

Degrees by cut points were fitted to the labels of the other items, so that they know how common each label is: where
one is common, degrees that have nothing to do with the items reach more than 1 / options. Such a run is better than
chance only if it is also nearer than its own degrees dealt out over the items at random, by the normal approximation of
that permutation test (Hoeffding 1951, Annals of Mathematical Statistics 22: 558–566). And none is said to be below
chance: an item is judged by cut points for which its own label is a little rarer than it is, which draws noise below.

All are one-sided. Where items hang together in clusters the larger p is taken: of the exact one, and of the t test over
the clusters' sums, with one degree of freedom less than clusters.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom, norm, t

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.sample import Sample, cluster_sums
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA, Measure

LEVEL = 0.05


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


def dealt_out(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample) -> float:
    """The probability of coming as near, or nearer, with the same labels in another order; κ's own test is that.

    All right, but with one label for everything, which in any order is as right:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> dealt_out(measure_of("accuracy", ordered=True), np.zeros(9, dtype=int), np.zeros(9, dtype=int), 3, Sample())
    1.0
    """
    n = sample.size(np.ones(len(truth), dtype=bool))
    if measure.key == KAPPA or n < 2:
        return 1.0 if n < 2 else against_chance(measure, decided, truth, values, sample)
    codes = np.arange(values)
    gains = _gains(measure, codes[:, None], codes).astype(np.float64)
    said, true = (
        np.array([sample.size(given == code) for code in codes], dtype=np.float64) for given in (decided, truth)
    )
    # Each pair of labels, less what either of the two would gain on average with any other.
    left = gains - (gains @ true / n)[:, None] - said @ gains / n + said @ gains @ true / n**2
    variance = float(said @ left**2 @ true) / (n - 1)
    if variance <= 0:
        return 1.0
    found = left[decided, truth]
    p = float(norm.sf((sample.total(found) - 0.5) / variance**0.5))
    return max(p, _over_clusters(found, sample))


def against_chance(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample) -> float:
    """The probability of coming as near by chance, or nearer.

    Three of three in a two-way choice:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> codes = np.array([0, 1, 1])
    >>> float(against_chance(measure_of("accuracy", ordered=False), codes, codes, 2, Sample()))
    0.125
    """
    n = sample.size(np.ones(len(truth), dtype=bool))
    if measure.key == KAPPA:
        return _rising_together(decided, truth, n, sample)
    if measure.key == ACCURACY:
        hits = (decided == truth).astype(np.float64)
        p = float(binom.sf(sample.total(hits) - 1, n, 1 / values))
        return max(p, _over_clusters(hits - 1 / values, sample))
    apart = _distances(values)
    steps = _steps(apart)
    each = [sample.size(truth == code) for code in range(values)]
    distance = apart[decided, truth]
    p = _at_most(steps, each, round(sample.total(distance)))
    return max(p, _over_clusters(apart[truth].mean(axis=1) - distance, sample))


def below_chance(measure: Measure, decided: Ints, truth: Ints, values: int, sample: Sample) -> float:
    """The probability of coming as far off by chance, or farther: the other side of `against_chance`.

    None of three in a two-way choice:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> codes = np.array([0, 1, 1])
    >>> float(below_chance(measure_of("accuracy", ordered=False), codes, 1 - codes, 2, Sample()))
    0.125
    """
    n = sample.size(np.ones(len(truth), dtype=bool))
    if measure.key == KAPPA:
        return _rising_together(-decided, truth, n, sample)
    if measure.key == ACCURACY:
        hits = (decided == truth).astype(np.float64)
        p = float(binom.cdf(sample.total(hits), n, 1 / values))
        return max(p, _over_clusters(1 / values - hits, sample))
    apart = _distances(values)
    steps, each = _steps(apart), [sample.size(truth == code) for code in range(values)]
    distance = apart[decided, truth]
    p = 1.0 - _at_most(steps, each, round(sample.total(distance)) - 1)
    return max(p, _over_clusters(distance - apart[truth].mean(axis=1), sample))


def against_constant(
    measure: Measure, constant: Constant, decided: Ints, truth: Ints, values: int, sample: Sample
) -> float:
    """The probability of being as much nearer than the constant on the items where the two are apart, or more."""
    gains = _gains(measure, decided, truth) - _gains(measure, np.full_like(truth, constant.code), truth)
    sizes = np.abs(gains)
    steps, each = [], []
    for size in range(1, values):
        steps.append(np.array([0.5, *[0.0] * (2 * size - 1), 0.5]))
        each.append(sample.size(sizes == size))
    if measure.key == ACCURACY:
        p = float(binom.sf(sample.size(gains > 0) - 1, each[0], 0.5))
    else:
        lost = round(sample.total(sizes - gains))
        p = _at_most(steps, each, lost)
    return max(p, _over_clusters(gains.astype(np.float64), sample))


def holm(ps: list[float]) -> list[float]:
    """Each p for as many tests (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [1.0] * len(ps), 0.0
    for left, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        least = max(least, min(1.0, (len(ps) - left) * ps[place]))
        adjusted[place] = least
    return adjusted


def _distances(values: int) -> Floats:
    codes = np.arange(values, dtype=np.float64)
    return np.abs(codes[:, None] - codes)


def _steps(apart: Floats) -> list[Floats]:
    """For each true label, how probable each distance is by chance."""
    return [np.bincount(row.astype(np.int64), minlength=len(apart)) / len(apart) for row in apart]


def _gains(measure: Measure, decided: Ints, truth: Ints) -> Ints:
    """What an item adds to nearness, in whole steps."""
    return np.asarray(-np.abs(decided - truth) if measure.key == DISTANCE else decided == truth, dtype=np.int64)


def _at_most(steps: list[Floats], each: list[int], most: int) -> float:
    """P(sum ≤ most) where each[i] independent numbers 0, 1, … have the probabilities steps[i]."""
    length = sum((len(step) - 1) * times for step, times in zip(steps, each, strict=True)) + 1
    transformed = np.ones(length // 2 + 1, dtype=np.complex128)
    for step, times in zip(steps, each, strict=True):
        if times:
            transformed *= np.fft.rfft(step, n=length) ** times
    return float(np.clip(np.fft.irfft(transformed, n=length)[: most + 1].sum(), 0.0, 1.0))


def _rising_together(decided: Ints, truth: Ints, n: int, sample: Sample) -> float:
    one = decided - sample.total(decided) / n
    other = truth - sample.total(truth) / n
    spread = sample.total(one**2) * sample.total(other**2)
    if n < 3 or spread <= 0:
        return 1.0
    r = float(np.clip(sample.total(one * other) / spread**0.5, -1.0, 1.0))
    p = 0.0 if r == 1 else float(t.sf(r * ((n - 2) / (1 - r**2)) ** 0.5, n - 2)) if r > -1 else 1.0
    return max(p, _over_clusters(one * other, sample))


def _over_clusters(gains: Floats, sample: Sample) -> float:
    """p of the t test that the clusters' sums are above 0; 0 where items stand for themselves, 1 for one cluster."""
    if sample.clusters is None:
        return 0.0
    sums = cluster_sums(gains[:, None], sample.clusters)[:, 0]
    if len(sums) == len(gains):
        return 0.0
    error = len(sums) ** 0.5 * float(sums.std(ddof=1)) if len(sums) > 1 else 0.0
    if len(sums) < 2 or sums.sum() <= 0:
        return 1.0
    return float(t.sf(sums.sum() / error, len(sums) - 1)) if error else 0.0
