"""One label for an item out of several people's: the majority, where at least two agree.

The rule and the counts follow ADEPT (Emami et al. 2021, section 4.1 and Table 4): the most frequent label,
if at least two annotators gave it and no other label is as frequent. Ties and lone labels have no agreement.

What an aggregation gives: a label for each item, how probable each label is, and how reliable each person is.

Every way to aggregate gives the same shape, so that a run can be compared with each: how far a figure moves with the
choice is a figure of its own (Paun et al. 2018, "Comparing Bayesian Models of Annotation").

One label by votes: ADEPT's rule, ties shared, and votes that weigh by how often a person agrees with the majority.

The weights are those of Wawa, worker agreement with aggregate (Appen; in crowd-kit `Wawa`): the share of a person's
labels that the plain vote gives too. Ties are shared there as well, so that no label is first by its place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.accuracy.hits import NOTHING_SHARED, share, share_of
from comparison.statistics.counts import MISSING, Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, NO_EFFECT, Sample, design_effect

UNANIMOUS, MAJORITY, NONE, UNLABELED = "unanimous", "majority", "none", "unlabeled"
KINDS = (UNANIMOUS, MAJORITY, NONE, UNLABELED)
# A label that only one person gave is no agreement.
AGREEING = 2
NOT_LABELED, NO_SUCH_MAJORITY = "no item is labeled", "no item has this majority label"
NO_MAJORITY = "no item has a majority label"
ONE_AN_ITEM, NEVER_TWO = "one label per item", "no item has a most frequent label given at least twice"


def majority(counts: Ints) -> Ints:
    """The code of the majority label of each row of (items, values); MISSING where there is no agreement.

    >>> majority(np.array([[3, 0, 0], [1, 2, 0], [1, 1, 1], [0, 1, 0]]))
    array([ 0,  1, -1, -1])
    """
    top = counts.max(axis=1, initial=0)
    unique = (counts == top[:, None]).sum(axis=1) == 1
    return np.where((top >= AGREEING) & unique, counts.argmax(axis=1), MISSING)


def settled(counts: Ints, decisions: Ints) -> Ints:
    """The majority label of each row or, of several labels without one, what was decided of it (MISSING: nothing was).

    >>> settled(np.array([[3, 0], [1, 1], [0, 1], [1, 1]]), np.array([1, 1, 1, -1]))
    array([ 0,  1, -1, -1])
    """
    codes = majority(counts)
    return np.where((codes == MISSING) & (counts.sum(axis=1) > 1), decisions, codes)


def lone(counts: Ints) -> NDArray[np.bool_]:
    """The rows with one label only: they have no majority, and no tie either."""
    return np.asarray(counts.sum(axis=1) == 1)


def of_the_others(counts: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """For each value: how many people gave it, and what the majority is without one of them; both of shape (items,).

    >>> [(value, given.tolist(), others.tolist()) for value, given, others in of_the_others(np.array([[2, 1]]))]
    [(0, [2], [-1]), (1, [1], [0])]
    """
    for value in range(counts.shape[1]):
        votes = counts[:, value]
        others = counts.copy()
        others[:, value] = np.maximum(votes - 1, 0)
        yield value, votes, majority(others)


def no_majority(counts: Ints) -> str:
    """Why labeled rows have no majority at all, in words; empty where one has, or where nothing is labeled."""
    labeled = counts[counts.sum(axis=1) > 0]
    if not len(labeled) or (majority(labeled) != MISSING).any():
        return ""
    return f"no majority: {ONE_AN_ITEM if lone(labeled).all() else NEVER_TWO}"


def kinds(counts: Ints) -> NDArray[np.str_]:
    """How the people of each row agree: one of KINDS.

    >>> kinds(np.array([[3, 0], [1, 2], [1, 1], [0, 0]])).tolist()
    ['unanimous', 'majority', 'none', 'unlabeled']
    """
    total = counts.sum(axis=1)
    agreed = majority(counts) != MISSING
    unanimous = agreed & (counts.max(axis=1, initial=0) == total)
    return np.select([unanimous, agreed, total > 0], [UNANIMOUS, MAJORITY, NONE], default=UNLABELED)


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label's line of Table 4: its items, and how many of them are unanimous.

    `share` is of all items that have a majority label, the other two are of this label's items.
    """

    value: str
    items: int
    unanimous: int
    majority: int
    share: Estimate
    share_unanimous: Estimate
    share_majority: Estimate


@dataclass(frozen=True, slots=True)
class AgreementCounts:
    """Items by kind of agreement, and by majority label. Shares are of the labeled items."""

    unanimous: int
    majority: int
    none: int
    lone: int
    unlabeled: int
    by_label: tuple[LabelRow, ...]
    share_unanimous: Estimate
    share_majority: Estimate
    share_agreed: Estimate
    share_none: Estimate

    @property
    def agreed(self) -> int:
        return self.unanimous + self.majority

    @property
    def labeled(self) -> int:
        return self.agreed + self.none


def agreement_counts(counts: Ints, values: Sequence[str], *, sample: Sample = ITEMS) -> AgreementCounts:
    """Table 4 of ADEPT for counts of shape (items, values). `lone` is the part of `none` with one label only.

    Shares have Wilson's interval, of as many items as those of `sample` are worth.

    >>> str(agreement_counts(np.array([[3, 0]] * 8 + [[2, 1]] * 4), ["a", "b"]).share_unanimous)
    '.67 [.39, .86], n = 12'
    """
    kind, label = kinds(counts), majority(counts)
    labeled = kind != UNLABELED

    def of_labeled(those: NDArray[np.bool_]) -> Estimate:
        return share_of(those, labeled, reason=NOT_LABELED, sample=sample)

    return AgreementCounts(
        unanimous=int((kind == UNANIMOUS).sum()),
        majority=int((kind == MAJORITY).sum()),
        none=int((kind == NONE).sum()),
        lone=int(lone(counts).sum()),
        unlabeled=int((kind == UNLABELED).sum()),
        by_label=tuple(_of_label(value, label == code, kind, sample) for code, value in enumerate(values)),
        share_unanimous=of_labeled(kind == UNANIMOUS),
        share_majority=of_labeled(kind == MAJORITY),
        share_agreed=of_labeled(label != MISSING),
        share_none=of_labeled(kind == NONE),
    )


def _of_label(value: str, own: NDArray[np.bool_], kind: NDArray[np.str_], sample: Sample) -> LabelRow:
    agreed = (kind == UNANIMOUS) | (kind == MAJORITY)
    unanimous, by_most = own & (kind == UNANIMOUS), own & (kind == MAJORITY)
    return LabelRow(
        value=value,
        items=int(own.sum()),
        unanimous=int(unanimous.sum()),
        majority=int(by_most.sum()),
        share=share_of(own, agreed, reason=NO_MAJORITY, sample=sample),
        share_unanimous=share_of(unanimous, own, reason=NO_SUCH_MAJORITY, sample=sample),
        share_majority=share_of(by_most, own, reason=NO_SUCH_MAJORITY, sample=sample),
    )


NO_LABELS = "no one has labeled these items"
ONE_RATER = "only one annotator has labeled, so there is no one to compare with"
ONE_LABEL = "only one label was used"
NOBODY_BESIDE = "no item has two labels, so annotators cannot be compared"
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
    """Why these labels do not separate people, in words; empty where they do.

    >>> undefined(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2, 2, 2]))
    'only one label was used'
    """
    if not len(labels):
        return NO_LABELS
    if len(np.unique(raters)) < 2:
        return ONE_RATER
    if len(np.unique(labels)) < 2:
        return ONE_LABEL
    return NOBODY_BESIDE if len(np.unique(items)) == len(items) else ""


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
    subsample, earned = sample.where(both), aggregate.credit[both, decided[both]]
    effect = NO_EFFECT if subsample.clusters is None or not len(earned) else design_effect(earned, subsample.clusters)
    return share(subsample.total(earned), sample.size(both), reason=NOTHING_SHARED, effect=effect)


def agreement_with(aggregate: Aggregate, items: Ints, raters: Ints, labels: Ints, *, size: int) -> Floats:
    """What each person's labels earn on average, shape (size,): NaN for one without a label on an item with a label.

    >>> found = Aggregate.of(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([]))
    >>> agreement_with(found, np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0, 1, 0]), size=3).tolist()
    [0.75, 0.5, nan]
    """
    has_label = aggregate.credit.sum(axis=1)[items] > 0
    earned = np.bincount(raters[has_label], weights=aggregate.credit[items, labels][has_label], minlength=size)
    tries = np.bincount(raters[has_label], minlength=size)
    agreement: Floats = np.divide(earned, tries, out=np.full(size, np.nan), where=tries > 0)
    return agreement


def adept(items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """The majority where two agree and no other label is as frequent; other items have no label and no part.

    >>> items, raters = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 0, 1])
    >>> adept(items, raters, np.array([1, 1, 0, 0, 1]), size=2, values=2, people=3).codes.tolist()
    [1, -1]
    """
    counts = count(items, labels, size=size, values=values)
    if not len(labels):
        return Aggregate.none(NO_LABELS, size=size, values=values, raters=people)
    if nothing := no_majority(counts):
        return Aggregate.none(nothing, size=size, values=values, raters=people)
    codes = majority(counts)
    credit = np.where((codes != MISSING)[:, None], np.arange(values) == codes[:, None], False).astype(np.float64)
    aggregate = Aggregate(codes, _shares(counts.astype(np.float64)), credit, np.zeros(people))
    return _with_agreement(aggregate, items, raters, labels)


def ties_shared(items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """The most frequent label; labels that are as frequent share the item.

    >>> items, raters = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> ties_shared(items, raters, np.array([1, 0, 1]), size=2, values=2, people=2).credit.tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    if not len(labels):
        return Aggregate.none(NO_LABELS, size=size, values=values, raters=people)
    counts = count(items, labels, size=size, values=values).astype(np.float64)
    return _with_agreement(Aggregate.of(_shares(counts), np.zeros(people)), items, raters, labels)


def weighted(items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """The label with the most weight; `reliability` are the weights.

    On the second item one stands against one; the first of them is with the others more often:

    >>> items, raters = np.array([0, 0, 0, 1, 1, 2, 2, 2]), np.array([0, 1, 2, 0, 1, 0, 1, 2])
    >>> found = weighted(items, raters, np.array([0, 0, 0, 0, 1, 1, 0, 1]), size=3, values=2, people=3)
    >>> found.codes.tolist(), found.reliability.round(2).tolist()
    ([0, 0, 1], [0.83, 0.5, 1.0])
    """
    if nothing := undefined(items, raters, labels):
        return Aggregate.none(nothing, size=size, values=values, raters=people)
    weights = ties_shared(items, raters, labels, size=size, values=values, people=people).reliability
    cells = items * values + labels
    votes = np.bincount(cells, weights=weights[raters], minlength=size * values).astype(np.float64)
    return Aggregate.of(_shares(votes.reshape(size, values)), weights)


def _shares(votes: Floats) -> Floats:
    total = votes.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    return shares


def _with_agreement(aggregate: Aggregate, items: Ints, raters: Ints, labels: Ints) -> Aggregate:
    people = len(aggregate.reliability)
    return replace(aggregate, reliability=agreement_with(aggregate, items, raters, labels, size=people))
