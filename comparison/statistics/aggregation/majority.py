"""One label for an item out of several people's: the majority, where at least two agree.

The rule and the counts follow ADEPT (Emami et al. 2021, section 4.1 and Table 4): the most frequent label,
if at least two annotators gave it and no other label is as frequent. Ties and lone labels have no agreement.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

UNANIMOUS, MAJORITY, NONE, UNLABELED = "unanimous", "majority", "none", "unlabeled"
KINDS = (UNANIMOUS, MAJORITY, NONE, UNLABELED)
# A label that only one person gave is no agreement.
AGREEING = 2
NOT_LABELED, NO_SUCH_MAJORITY = "no item is labeled", "no item has this majority label"
NO_MAJORITY = "no item has a majority label"
ONE_AN_ITEM, NEVER_TWO = "one label an item", "on no item is one label the most frequent and given twice"


def majority(counts: Ints) -> Ints:
    """The code of the majority label of each row of (items, values); MISSING where there is no agreement.

    >>> majority(np.array([[3, 0, 0], [1, 2, 0], [1, 1, 1], [0, 1, 0]]))
    array([ 0,  1, -1, -1])
    """
    top = counts.max(axis=1, initial=0)
    unique = (counts == top[:, None]).sum(axis=1) == 1
    return np.where((top >= AGREEING) & unique, counts.argmax(axis=1), MISSING)


def lone(counts: Ints) -> NDArray[np.bool_]:
    """The rows with one label only: they have no majority, and no tie either."""
    return np.asarray(counts.sum(axis=1) == 1)


def of_the_others(counts: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """For each value: how many people gave it, and what the majority is without one of them; both of shape (items,).

    >>> [(value, given.tolist(), others.tolist()) for value, given, others in of_the_others(np.array([[2, 1]]))]
    [(0, [2], [-1]), (1, [1], [0])]
    """
    for value in range(counts.shape[1]):
        given = counts[:, value]
        others = counts.copy()
        others[:, value] = np.maximum(given - 1, 0)
        yield value, given, majority(others)


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
