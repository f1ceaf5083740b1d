"""What an aggregation gives: a label for each item, how probable each label is, and how reliable each person is.

Every way to aggregate gives the same shape, so that a run can be held against each: how far a figure moves with the
choice is a figure of its own (Paun et al. 2018, "Comparing Bayesian Models of Annotation").
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from comparison.statistics.accuracy.hits import NOTHING_SHARED, share
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.clusters import NO_EFFECT, design_effect
from comparison.statistics.resampling.sample import ITEMS, Sample

NO_LABELS = "nobody has labeled these items"
ONE_RATER = "only one annotator has labeled, so there is nobody to compare with"
ONE_LABEL = "only one label was used"
ONE_AN_ITEM = "no item has two labels, so nobody can be compared with anybody"
# Probabilities nearer than this are a tie: they come out of sums in floating point.
TIE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate:
    """`codes` (items,), `probabilities` (items, values), zeros where an item has no labels, `reliability` (raters,),
    NaN for a person of whom nothing is known. `credit` (items, values) is what naming a label earns.
    """

    codes: Ints
    probabilities: Floats
    credit: Floats
    reliability: Floats
    undefined: str = ""

    @classmethod
    def none(cls, reason: str, *, size: int, values: int, raters: int) -> Self:
        nothing = np.zeros((size, values))
        return cls(np.full(size, MISSING), nothing, nothing, np.full(raters, np.nan), reason)

    @classmethod
    def of(cls, probabilities: Floats, reliability: Floats) -> Self:
        """The most probable label; equally probable ones share the item, which then has no one label.

        >>> found = Aggregate.of(np.array([[0.9, 0.1], [0.5, 0.5], [0.0, 0.0]]), np.array([0.8]))
        >>> found.codes.tolist(), found.credit.tolist()
        ([0, -1, -1], [[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]])
        """
        top = probabilities.max(axis=1, initial=0.0, keepdims=True)
        leading = (probabilities >= top - TIE) & (top > 0)
        many = leading.sum(axis=1)
        codes = np.where(many == 1, leading.argmax(axis=1), MISSING).astype(np.int64)
        return cls(codes, probabilities, leading / np.maximum(many, 1)[:, None], reliability)


def undefined(items: Ints, raters: Ints, labels: Ints) -> str:
    """Why people cannot be told apart by these labels, in words; empty where they can.

    >>> undefined(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2, 2, 2]))
    'only one label was used'
    """
    if not len(labels):
        return NO_LABELS
    if len(np.unique(raters)) < 2:
        return ONE_RATER
    if len(np.unique(labels)) < 2:
        return ONE_LABEL
    return ONE_AN_ITEM if len(np.unique(items)) == len(items) else ""


def accuracy(decided: Ints, aggregate: Aggregate, *, sample: Sample = ITEMS) -> Estimate:
    """How often `decided` names the aggregated label, of the items that have both; ties are shared.

    Wilson's interval, which is a little wide where ties are shared: part of a hit varies less than all or nothing.

    >>> found = Aggregate.of(np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]), np.array([]))
    >>> str(accuracy(np.array([0, 0, MISSING]), found))
    '.8 [.2, 1.0], n = 2'
    """
    if aggregate.undefined:
        return Estimate.none(aggregate.undefined)
    both = (decided != MISSING) & (aggregate.credit.sum(axis=1) > 0)
    here, earned = sample.where(both), aggregate.credit[both, decided[both]]
    effect = NO_EFFECT if here.clusters is None or not len(earned) else design_effect(earned, here.clusters)
    return share(here.total(earned), sample.size(both), reason=NOTHING_SHARED, effect=effect)


def agreement_with(aggregate: Aggregate, items: Ints, raters: Ints, labels: Ints, *, size: int) -> Floats:
    """What each person's labels earn on average, shape (size,): NaN for one without a label on an item with a label.

    >>> found = Aggregate.of(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([]))
    >>> agreement_with(found, np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0, 1, 0]), size=3).tolist()
    [0.75, 0.5, nan]
    """
    known = aggregate.credit.sum(axis=1)[items] > 0
    earned = np.bincount(raters[known], weights=aggregate.credit[items, labels][known], minlength=size)
    tries = np.bincount(raters[known], minlength=size)
    found: Floats = np.divide(earned, tries, out=np.full(size, np.nan), where=tries > 0)
    return found
