"""Of each item the shares of people's labels beside a run's probabilities of labels, and the distances of the two.

How far each item's answers lie apart: people from one another, and runs from people.

How mixed each item's labels are: the entropy of their shares (Shannon 1948, Bell System Technical Journal 27: 379).

The plain one, of the shares as they are: with few labels an item it is lower than that of all people (Miller 1955).

How far a run's probabilities lie from people's shares: the Jensen–Shannon distance, meaned over items.

The square root of Lin's divergence (1991, IEEE Transactions on Information Theory 37: 145–151, equation 3.1), which
makes it a metric (Endres and Schindelin 2003). Logarithms to base 2, so that it lies between 0 (the same) and 1 (no
label in common). Nie et al. 2020 (ChaosNLI, arXiv:2010.03532) give the same distance with natural logarithms: theirs
is this one times .8326.

How far a run's probabilities lie from people's shares: total variation, meaned over items.

Half the sum of absolute differences: the share of people whose label would have to change. Baan et al. 2022 ("Stop
Measuring Calibration When Humans Disagree", arXiv:2210.16133, section 4: DistCE) take it as an item's error of
calibration where people differ, and where "the right label" of plain calibration does not exist.

How many bits one person's label costs by a run's probabilities: the cross-entropy with people's shares.

Σ over labels of share · −log2(probability), meaned over items (Peterson et al. 2019, "Human uncertainty makes
classification more robust", arXiv:1908.07086; Uma et al. 2021, section 4.4.2, for soft labels). It cannot be below the
entropy of people's shares, which stands beside it: what is above is the divergence of Kullback and Leibler. One label
to which a run gives no probability at all makes it infinite: it is for runs that give probabilities.

Surprisal in bits: a log-probability seen from the other side (Hale 2001; Levy 2008, Cognition 106: 1126–1177).
"""

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import scipy as sp

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import SEED, estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from corpus.errors import counted

NOTHING_SHARED = "no item has both labels and the run’s probabilities"
# Of more different values than this, each is rounded for the interval, though not for the mean itself.
DISTINCT, DECIMALS = 10_000, 3


def shares(counts: Ints) -> Floats:
    """Counts (items, values) to shares that add up to 1; NaN rows where nobody labeled.

    >>> shares(np.array([[3, 1], [0, 0]]))
    array([[0.75, 0.25],
           [ nan,  nan]])
    """
    totals = counts.sum(axis=1, keepdims=True).astype(np.float64)
    proportions: Floats = np.divide(counts, totals, out=np.full(counts.shape, np.nan), where=totals > 0)
    return proportions


def one_hot(decided: Ints, *, values: int) -> Floats:
    """A run that names one label, as probabilities: all of it on that label. NaN rows where it names none.

    >>> one_hot(np.array([1, MISSING]), values=2)
    array([[ 0.,  1.],
           [nan, nan]])
    """
    rows = np.vstack([np.eye(values), np.full((1, values), np.nan)])
    return np.asarray(rows[np.where(decided == MISSING, values, decided)])


def mean_of(distances: Floats, *, sample: Sample = ITEMS, nothing: str = NOTHING_SHARED) -> Estimate:
    """The mean of one number an item, NaN where it has none, with an interval by drawing items anew.

    >>> mean_of(np.array([0.0, 1.0, np.nan])).n
    2
    """
    is_finite = np.isfinite(distances)
    n = sample.size(is_finite)
    if not n:
        return Estimate.none(nothing)
    numbers, own = distances[is_finite], sample.where(is_finite)
    value = own.total(numbers) / n
    numbers = for_draws(numbers)
    if own.clusters is None:
        numbers, place = np.unique(numbers, return_inverse=True)
        own = Sample(weights=np.bincount(place, weights=own.weights).astype(np.int64))
    contributions = np.column_stack([numbers, np.ones(len(numbers))])
    return estimate(value, contributions, lambda sums: sums[:, 0] / sums[:, 1], n=n, sample=own)


def for_draws(column: Floats) -> Floats:
    """A column as it is drawn from: of very many different numbers, rounded, so that equal ones are drawn at once.

    This moves the ends of an interval by less than half of the last decimal kept, and as a rule by far less.

    >>> for_draws(np.array([0.12345, 0.5]))
    array([0.12345, 0.5    ])
    """
    many = len(column) > DISTINCT and len(np.unique(column)) > DISTINCT
    return np.round(column, DECIMALS) if many else column


def jensen_shannon(counts: Ints, probabilities: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """People's labels counted as (items, values), and a run's probabilities of the same shape (NaN rows: none).

    >>> found = jensen_shannon(np.array([[2, 2], [4, 0]]), np.array([[0.5, 0.5], [0.0, 1.0]]))
    >>> found.value
    0.5
    """
    return mean_of(distances(shares(counts), probabilities), sample=sample)


def distances(one: Floats, other: Floats) -> Floats:
    """Row by row, shape (items, values) to (items,); NaN where either has none."""
    return np.asarray(np.sqrt(divergences(one, other)))


def divergences(one: Floats, other: Floats) -> Floats:
    """Lin's divergence itself, in bits: the square of the distance.

    >>> divergences(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.5, 0.5]]))
    array([1., 0.])
    """
    middle = (one + other) / 2
    bits = (sp.special.rel_entr(one, middle) + sp.special.rel_entr(other, middle)).sum(axis=1) / (2 * np.log(2))
    # Rounding leaves a little less than 0 of two rows that are the same.
    return np.asarray(np.maximum(bits, 0.0))


def entropy(counts: Ints) -> Floats:
    """In bits, from 0 (all labels are one) to `most` (as many of each), for counts (items, values); NaN where no label.

    >>> entropy(np.array([[4, 0], [2, 2], [0, 0]]))
    array([ 0.,  1., nan])
    """
    proportions = shares(counts)
    logs = np.log2(proportions, where=proportions > 0, out=np.zeros_like(proportions))
    # Adding zero turns −0.0 into 0.0.
    return np.asarray(-(proportions * logs).sum(axis=1) + 0.0)


def most(values: int) -> float:
    """The highest entropy that labels of so many values can have.

    >>> most(4)
    2.0
    """
    return float(np.log2(values))


def among_people(counts: Ints) -> Floats:
    """The share of pairs of labels that differ, from 0 to 1, for counts (items, values); NaN below two labels.

    >>> among_people(np.array([[2, 0], [1, 1], [1, 0]]))
    array([ 0.,  1., nan])
    """
    totals = counts.sum(axis=1)
    pairs = (totals * (totals - 1)).astype(np.float64)
    agreeing = (counts * (counts - 1)).sum(axis=1)
    agreement: Floats = np.divide(agreeing, pairs, out=np.full(len(counts), np.nan), where=pairs > 0)
    return np.asarray(1 - agreement)


def from_people(counts: Ints, decided: Ints) -> Floats:
    """The share of an item's labels that differ from a run's decision, from 0 to 1.

    `decided` has shape (items, runs); the result has shape (items,), the mean over the runs that decided.
    NaN where no run decided or there is no label.

    Three of four labels are the first run's, one is the second's:

    >>> from_people(np.array([[3, 1]]), np.array([[0, 1]]))
    array([0.5])
    """
    totals = counts.sum(axis=1).astype(np.float64)
    rows = np.arange(len(counts))[:, None]
    agreeing = np.where(decided != MISSING, counts[rows, np.maximum(decided, 0)], 0).sum(axis=1)
    runs = (decided != MISSING).sum(axis=1)
    compared = totals * runs
    agreement: Floats = np.divide(agreeing, compared, out=np.full(len(counts), np.nan), where=compared > 0)
    return np.asarray(1 - agreement)


def total_variation(counts: Ints, probabilities: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """People's labels counted as (items, values), and a run's probabilities of the same shape (NaN rows: none).

    >>> total_variation(np.array([[3, 1]]), np.array([[0.5, 0.5]])).value
    0.25
    """
    return mean_of(variations(shares(counts), probabilities), sample=sample)


def variations(one: Floats, other: Floats) -> Floats:
    """Row by row, shape (items, values) to (items,), from 0 to 1; NaN where either has none."""
    return np.asarray(np.abs(one - other).sum(axis=1) / 2)


# What is added to each count of the others' labels before they stand for probabilities (Krichevsky and Trofimov 1981).
ADDED = 0.5
NO_TWO = "no item has two labels"


def cross_entropy(counts: Ints, probabilities: Floats, *, sample: Sample = ITEMS) -> Estimate:
    """In bits, for labels counted as (items, values) and a run's probabilities (NaN rows: none).

    >>> cross_entropy(np.array([[1, 1], [2, 0]]), np.array([[0.5, 0.5], [0.5, 0.5]])).value
    1.0
    """
    bits = entropies(shares(counts), probabilities)
    endless = np.isposinf(bits)
    if endless.any():
        where = f"{sample.size(endless):,} of {counted(sample.size(~np.isnan(bits)), 'item')}"
        return Estimate.none(f"infinite: probability 0 for a label that was given, on {where}")
    return mean_of(bits, sample=sample)


def entropies(one: Floats, other: Floats) -> Floats:
    """Row by row, shape (items, values) to (items,), in bits; infinite where `other` lacks what `one` has."""
    with np.errstate(divide="ignore"):
        return np.asarray(-sp.special.xlogy(one, other).sum(axis=1) / np.log(2))


def people_entropy(counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The mean entropy of people's shares, in bits, over items with two labels or more.

    Of few labels it comes out too low (Miller 1955): it is a floor and not what a model could reach.

    >>> people_entropy(np.array([[2, 2], [4, 0]])).value
    0.5
    """
    bits = entropy(counts)
    return mean_of(np.where(counts.sum(axis=1) > 1, bits, np.nan), sample=sample, nothing=NO_TWO)


def by_the_others(counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The bits for one person's label by the shares of the others of its item, half a label added to each.

    It is held against the same labels as a run's cross-entropy is, so that a run below it says more of a person's label
    than the other people do.

    Three people who agree; with two kinds of labels, each has −log2((2 + ½) / (2 + 1)):

    >>> round(by_the_others(np.array([[3, 0]])).value, 3)
    0.263
    """
    totals = counts.sum(axis=1, keepdims=True).astype(np.float64)
    others = np.where(totals > 1, totals - 1, np.nan)
    smoothed = np.maximum(counts - 1, 0) + ADDED
    bits = -np.log2(smoothed / (others + ADDED * counts.shape[1]))
    each = np.where(counts > 0, bits * counts, 0.0).sum(axis=1) / np.maximum(totals[:, 0], 1)
    return mean_of(np.where(totals[:, 0] > 1, each, np.nan), sample=sample, nothing=NO_TWO)


# Row by row, two tables (items, values) to (items,).
Distances = Callable[[Floats, Floats], Floats]

# With more ways than this to part an item's labels, some of them are drawn.
WAYS, DRAWN = 20_000, 500


def one_person(counts: Ints, distances: Distances, *, sample: Sample = ITEMS) -> Estimate:
    """Each person's label against the others' shares, meaned over labels, then items.

    >>> one_person(np.array([[2, 0], [1, 1]]), variations).value
    0.5
    """
    return _by_pattern(counts, lambda row: _left_out(row, distances), sample)


def half(counts: Ints, distances: Distances, *, sample: Sample = ITEMS) -> Estimate:
    """One half of an item's labels against the other, over all ways to part them; of odd numbers, one is larger by one.

    As human figures beside label distributions come about (Nie et al. 2020, ChaosNLI; Baan et al. 2022). Halves of few
    labels differ by chance: with five labels an item, a run that knows the true shares can well be nearer.

    Two labels of each kind are parted alike, or with both of a kind together, which is half as likely:

    >>> round(half(np.array([[2, 2]]), variations).value, 3)
    0.333
    """
    return _by_pattern(counts, lambda row: _parted(row, distances), sample)


def _by_pattern(counts: Ints, of_row: Callable[[Ints], float], sample: Sample) -> Estimate:
    """Items with the same counts have the same number, which is computed once."""
    patterns, place = np.unique(counts, axis=0, return_inverse=True)
    each = np.array([of_row(row) if row.sum() > 1 else np.nan for row in patterns])
    return mean_of(each[place.ravel()], sample=sample, nothing=NO_TWO)


def _left_out(row: Ints, distances: Distances) -> float:
    codes = np.flatnonzero(row)
    own = one_hot(codes, values=len(row))
    return float(row[codes] @ distances(own, shares((row - own).astype(np.int64))) / row.sum())


def _parted(row: Ints, distances: Distances) -> float:
    half_size = int(row.sum()) // 2
    if np.prod(row + 1.0) > WAYS:
        # By a seed of the counts, so that an item's number does not hang on the others.
        rng = np.random.default_rng((SEED, *row.tolist()))
        one = rng.multivariate_hypergeometric(row, half_size, size=DRAWN)
        weights = np.full(DRAWN, 1 / DRAWN)
    else:
        grid = np.stack(np.meshgrid(*(np.arange(count + 1) for count in row), indexing="ij"), axis=-1)
        every = grid.reshape(-1, len(row))
        one = every[every.sum(axis=1) == half_size]
        weights = sp.special.comb(row, one).prod(axis=1) / sp.special.comb(int(row.sum()), half_size)
    return float(weights @ distances(shares(one), shares(row - one)))


Number = TypeVar("Number", float, Floats)


def bits(logprob: Number) -> Number:
    """−log₂ p of a probability, or of many, given by the natural logarithm.

    >>> bits(math.log(1 / 8))
    3.0
    """
    # Adding zero turns the −0.0 of a certain event into 0.0.
    return -logprob / math.log(2) + 0.0
