"""What labels that stop counting, or count again, do to items and to agreement. Pure."""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.agreement.percent import percent_agreement
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample


@dataclass(frozen=True, slots=True)
class Standing:
    """Labels that count; items below their number, and how many labels they lack; agreement."""

    labels: int
    below: int
    missing: int
    alpha: Estimate
    percent: Estimate


def standing(counts: Ints, wanted: Ints, *, ordered: bool, sample: Sample) -> Standing:
    """Of counts (items, values) and the labels that each item wants."""
    lacking = np.maximum(wanted - counts.sum(axis=1), 0)
    return Standing(
        labels=int(counts.sum()),
        below=int((lacking > 0).sum()),
        missing=int(lacking.sum()),
        alpha=krippendorff_alpha(counts, level="ordinal" if ordered else "nominal", sample=sample),
        percent=percent_agreement(counts, sample=sample),
    )


def without(counts: Ints, items: Ints, labels: Ints) -> Ints:
    """The counts less these labels.

    >>> without(np.array([[2, 1]]), np.array([0]), np.array([0])).tolist()
    [[1, 1]]
    """
    left = counts.copy()
    np.subtract.at(left, (items, labels), 1)
    return left


def with_room(counts: Ints, room: Ints, items: Ints, labels: Ints) -> Ints:
    """The counts and these labels, in turn, each where its item still has room.

    >>> with_room(np.array([[1, 0]]), np.array([1]), np.array([0, 0]), np.array([1, 0])).tolist()
    [[1, 1]]
    """
    more, left = counts.copy(), room.copy()
    for item, label in zip(items.tolist(), labels.tolist(), strict=True):
        if left[item] > 0:
            left[item] -= 1
            more[item, label] += 1
    return more
