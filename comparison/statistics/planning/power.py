"""How likely a study is to show something, before anybody has labeled: from what is assumed of people and models.

The model: every item has a true label, all equally often. An annotator gives it with probability q and each other label
alike, independently of other annotators. Two of them then agree as often as α (nominal; equal to Brennan and Prediger's
κ where labels are equally common) says, which gives q. The majority label of k annotators is the true one as the
multinomial distribution has it, exactly; items without one are not compared. A model gives the true label as often as
is assumed, independently of people. Tests are those of `plan`: exact binomial against chance, and McNemar's exact test
for two models.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial, sqrt
from statistics import NormalDist
from typing import ClassVar, Protocol

import numpy as np
import scipy as sp

from comparison.statistics.aggregation import AGREEING
from comparison.statistics.counts import Floats, Ints

LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """`agreement` is α, `first` and `second` how often two models give the true label; without a second, None."""

    NAMES: ClassVar = ("options", "agreement", "first", "second")
    ABOVE: ClassVar = "power_above_chance"

    options: int
    agreement: float
    first: float
    second: float | None

    @property
    def giving_true(self) -> float:
        """How often an annotator gives the true label.

        >>> Assumed(options=2, agreement=0.64, first=0.7, second=None).giving_true
        0.9
        """
        return (1 + (self.options - 1) * sqrt(max(self.agreement, 0.0))) / self.options

    @property
    def chance(self) -> float:
        return 1 / self.options

    @property
    def is_apart(self) -> bool:
        """Whether the plan is for separating two models, or for showing that one beats chance."""
        return self.second is not None

    @property
    def aim(self) -> str:
        return "separate two models" if self.is_apart else "beat chance"

    def power(self, *, items: int, labels: int) -> "Power":
        return power(self, items=items, labels=labels)


@dataclass(frozen=True, slots=True)
class Majority:
    """How often k annotators have a majority label, and how often that is the true one."""

    known: float
    right: float


@dataclass(frozen=True, slots=True)
class Power:
    """Of `items` with `labels` each: the power of one model alone (`above` chance or, of ratings, 0), and of two.

    Each is None where no item would have a majority, and the second without a second model.
    """

    items: int
    labels: int
    above: float | None
    apart: float | None


@lru_cache(maxsize=256)
def majority_of(options: int, labels: int, giving_true: float) -> Majority:
    """Exactly: a label is the majority where at least two give it and none is given as often.

    >>> found = majority_of(2, 3, 0.9)
    >>> found.known, round(found.right, 3)
    (1.0, 0.972)
    >>> majority_of(2, 1, 0.9).known
    0.0
    """
    true = wrong = 0.0
    for given in range(labels + 1):
        rest = labels - given
        here = comb(labels, given) * giving_true**given * (1 - giving_true) ** rest
        if given >= AGREEING:
            true += here * _all_below(rest, options - 1, given)
        wrong += here * _one_above(rest, options - 1, max(given + 1, AGREEING))
    known = true + wrong
    return Majority(round(known, 12), true / known if known else 0.0)


def _all_below(labels: int, options: int, most: int) -> float:
    """The probability that none of the options, each as likely, gets `most` of so many labels."""
    return _ways(labels, options, most) / float(options**labels)


def _one_above(labels: int, options: int, least: int) -> float:
    """That one option gets at least `least`, and more than each other."""
    total = 0.0
    for top in range(least, labels + 1):
        rest = _ways(labels - top, options - 1, top) if options > 1 else float(top == labels)
        total += options * factorial(labels) / (factorial(top) * factorial(labels - top)) * rest
    return total / float(options**labels)


def _ways(labels: int, options: int, most: int) -> float:
    """How many ways there are to give labels to options so that each option gets fewer than `most`."""
    one = np.array([1 / factorial(count) for count in range(min(most, labels + 1))])
    product: Floats = np.ones(1)
    for _ in range(options):
        product = np.convolve(product, one)[: labels + 1]
    return factorial(labels) * float(product[labels]) if len(product) > labels else 0.0


def power(assumed: Assumed, *, items: int, labels: int) -> Power:
    """
    >>> found = power(Assumed(options=2, agreement=0.64, first=0.7, second=0.6), items=200, labels=3)
    >>> round(found.above, 2), round(found.apart, 2)
    (1.0, 0.47)
    """
    found = majority_of(assumed.options, labels, assumed.giving_true)
    compared = round(items * found.known)
    if not compared:
        return Power(items, labels, None, None)
    one = _against_majority(assumed.first, found.right, assumed.options)
    most_by_luck = quantile(1 - LEVEL, compared, assumed.chance)
    above = float(sp.special.bdtrc(most_by_luck, compared, one))
    if assumed.second is None:
        return Power(items, labels, above, None)
    only_first = _only_one(assumed.first, assumed.second, found.right, assumed.options)
    only_second = _only_one(assumed.second, assumed.first, found.right, assumed.options)
    return Power(items, labels, above, _mcnemar(compared, only_first, only_second))


def true_accuracy(observed: float, right: float, options: int) -> float:
    """How often a model gives the true label that gives the majority label as often as was `observed`; from 0 to 1.

    >>> round(true_accuracy(_against_majority(0.7, 0.9, 2), 0.9, 2), 3)
    0.7
    """
    luck = (1 - right) / (options - 1)
    return min(max((observed - luck) / (right - luck), 0.0), 1.0) if right > luck else observed


def _against_majority(model: float, right: float, options: int) -> float:
    """How often a model gives the majority label: with it where it is true, and by luck where both are wrong."""
    return model * right + (1 - model) * (1 - right) / (options - 1)


def _only_one(one: float, other: float, right: float, options: int) -> float:
    """How often the one gives the majority label and the other does not."""
    luck = 1 / (options - 1)
    where_right = one * (1 - other)
    given, others = (1 - one) * luck, (1 - other) * luck
    return right * where_right + (1 - right) * given * (1 - others)


def _mcnemar(items: int, only_first: float, only_second: float) -> float:
    """That the exact two-sided test is below LEVEL, whichever is ahead: over all numbers of items that differ."""
    differing = only_first + only_second
    if differing <= 0:
        return 0.0
    counts = np.arange(1, items + 1)
    weights = probability(counts, items, differing)
    here = weights > 1e-9
    counts, weights = counts[here], weights[here]
    # The greatest number of the rarer kind that is still significant; −1 where none is.
    limit = quantile(LEVEL / 2, counts, 0.5)
    limit = np.where(2 * sp.special.bdtr(limit, counts, 0.5) <= LEVEL, limit, limit - 1)
    share = only_first / differing
    shown = sp.special.bdtr(limit, counts, share) + sp.special.bdtrc(counts - limit - 1, counts, share)
    return float((weights * np.where(limit < 0, 0.0, shown)).sum())


# --- Binomial: by scipy.special, which a page loads in a third of the time and the memory of scipy.stats --------


def probability(counts: Ints, trials: int, p: float) -> Floats:
    """Of each of these counts.

    >>> probability(np.array([0, 1, 2]), 2, 0.5).round(6).tolist()
    [0.25, 0.5, 0.25]
    """
    log, rest = sp.special.gammaln, trials - counts
    ways = log(trials + 1) - log(counts + 1) - log(rest + 1)
    return np.asarray(np.exp(ways + sp.special.xlogy(counts, p) + sp.special.xlog1py(rest, -p)))


def quantile(q: float, trials: int | Ints, p: float) -> Floats:
    """The lowest count that is reached or stayed below with a probability of at least `q`.

    >>> quantile(0.025, np.array([5, 6, 100]), 0.5).tolist()
    [0.0, 1.0, 40.0]
    """
    # The normal distribution's is a count or two away; looking there takes a tenth of the time of `bdtrik`.
    spread = np.sqrt(trials * p * (1 - p))
    count = np.clip(np.round(trials * p + NormalDist().inv_cdf(q) * spread), 0, trials)
    while (short := sp.special.bdtr(count, trials, p) < q).any():
        count = count + short
    while (beyond := (count > 0) & (sp.special.bdtr(count - 1, trials, p) >= q)).any():
        count = count - beyond
    return np.asarray(count)


class Plan(Protocol):
    """What is assumed: of labels that have a majority, or of ratings (`rating_power`)."""

    @property
    def is_apart(self) -> bool: ...
    @property
    def aim(self) -> str: ...
    def power(self, *, items: int, labels: int) -> Power: ...


def reaching(assumed: Plan, items: int, labels: int) -> float | None:
    """The power that the plan is about."""
    found = assumed.power(items=items, labels=labels)
    return found.apart if assumed.is_apart else found.above


def enough(assumed: Plan, *, labels: int, wanted: float, most: int) -> int | None:
    """The fewest items, in steps of about a twentieth, with which that power is reached; None beyond `most`."""
    items = 10
    while items <= most:
        reached = reaching(assumed, items, labels)
        if reached is not None and reached >= wanted:
            return items
        items += max(5, 5 * round(items / 100))
    return None
