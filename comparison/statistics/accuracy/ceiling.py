"""One annotator as a rater like any run: their labels item by item, and what the others said of the same items.

The human ceiling, what a model that answers like one of the people would reach, is `verdict/person.py`'s.

A person is compared with the majority of the others, so that nobody is compared with themselves; two persons who agree,
against the majority without both (Emami et al. 2021, section 4.2, compare two assessors with the crowd so).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.accuracy.hits import Hits, share
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from corpus.errors import counted

NO_OTHERS = "no item has two agreeing labels of others"
NO_REFERENCE = "no labeled item has a reference"


def against_reference(counts: Ints, truth: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The share of people's labels that equal the reference, items drawn anew. n is labels."""
    known = (truth != MISSING) & (counts.sum(axis=1) > 0)
    if not known.any():
        return Estimate.none(NO_REFERENCE, unit="labels")
    labels = counts[known]
    hits = labels[np.arange(len(labels)), truth[known]]
    return _of_labels(hits, labels.sum(axis=1), sample.where(known))


@dataclass(frozen=True, slots=True)
class AnnotatorAccuracy:
    """One annotator against the majority of the others."""

    rater: str
    hits: Hits


def by_annotator(
    items: Ints, raters: Ints, labels: Ints, counts: Ints, *, names: Sequence[str]
) -> tuple[AnnotatorAccuracy, ...]:
    """Each annotator's leave-one-out accuracy with Wilson's interval, in the order of `names`.

    Labels come one by one: the item's row in `counts`, the place of the annotator in `names`, the code.

    >>> counts = np.array([[3, 0], [2, 1]])
    >>> found = by_annotator(np.array([1, 1]), np.array([0, 1]), np.array([0, 1]), counts, names=["a", "b"])
    >>> [(one.rater, one.hits.correct, one.hits.compared) for one in found]
    [('a', 0, 0), ('b', 0, 1)]
    """
    others = counts[items]
    others[np.arange(len(others)), labels] -= 1
    agreed = majority(others)
    tries = np.bincount(raters[agreed != MISSING], minlength=len(names))
    hits = np.bincount(raters[(agreed != MISSING) & (agreed == labels)], minlength=len(names))
    return tuple(
        AnnotatorAccuracy(name, Hits(hit, tried, share(hit, tried, reason=NO_OTHERS)))
        for name, hit, tried in zip(names, hits.tolist(), tries.tolist(), strict=True)
    )


def _of_labels(hits: Ints, tries: Ints, sample: Sample) -> Estimate:
    """Labels that hit of labels that tried, for each row; the note says how many items they are on."""
    contributions = np.column_stack([hits, tries]).astype(np.float64)
    right, labels = sample.sums(contributions)
    note = f"labels on {counted(sample.size(np.ones(len(contributions), dtype=bool)), 'item')}"
    found = estimate(
        float(right / labels),
        contributions,
        lambda sums: sums[:, 0] / sums[:, 1],
        n=int(labels),
        note=note,
        sample=sample,
        is_share=True,
    )
    return replace(found, unit="labels")


def labels_of_rater(items: Ints, raters: Ints, labels: Ints, *, rater: int, size: int) -> Ints:
    """One person's label of each of `size` items, as codes; MISSING where they gave none.

    Labels come one by one: the item's row, the person's number, the code. Of several on one item the first is taken.

    >>> labels_of_rater(np.array([0, 2, 2, 2]), np.array([0, 0, 1, 0]), np.array([1, 3, 0, 4]), rater=0, size=3)
    array([ 1, -1,  3])
    """
    own = np.flatnonzero(raters == rater)[::-1]
    column = np.full(size, MISSING, dtype=np.int64)
    column[items[own]] = labels[own]
    return column


def without(counts: Ints, items: Ints, raters: Ints, labels: Ints, *, gone: Sequence[int]) -> Ints:
    """Labels counted as (items, values) without all that these persons gave.

    >>> without(np.array([[2, 1], [0, 2]]), np.array([0, 1, 0]), np.array([0, 0, 1]), np.array([0, 1, 0]), gone=[0])
    array([[1, 1],
           [0, 1]])
    """
    own = np.isin(raters, list(gone))
    rest = counts.copy()
    np.subtract.at(rest, (items[own], labels[own]), 1)
    return rest


def both_say(one: Ints, other: Ints) -> Ints:
    """What two raters agree on, as codes of shape (items,); MISSING where they differ or one is silent.

    >>> both_say(np.array([0, 1, MISSING]), np.array([0, 2, MISSING]))
    array([ 0, -1, -1])
    """
    return np.where(one == other, one, MISSING)
