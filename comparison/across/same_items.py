"""Two studies of the same items, such as with and without context: who is right in which, item against item.

Arrays in, figures out. Both studies have the same labels to choose from; rows are the items that both have.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.ceiling import against_reference
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.aggregation import lone, majority
from comparison.statistics.agreement.cohen import cohen
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import Paired, difference, paired
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import of_two
from comparison.statistics.verdict.pair import Two, two_ranked

MAJORITY, MAJORITY_OR_ONE = "{} · majority", "{} · majority, or the one label"


@dataclass(frozen=True, slots=True)
class Both:
    """One rater in both studies: right of n in each, on the items that have an answer in both; and what changed.

    `difference` is the first accuracy less the second, item against item; `same` the share of items with one answer.
    """

    name: str
    is_people: bool
    one: Hits
    other: Hits
    difference: Estimate
    paired: Paired
    same: Hits
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class RankedBoth:
    """One rater by ρ in both studies, on the items that have a score and a rating in both.

    `reached` is None for people, whose mean ratings are what scores are compared with; `between` is the ρ of what the
    rater says in one study with what it says in the other.
    """

    name: str
    is_people: bool
    reached: Two | None
    between: Estimate


@dataclass(frozen=True, slots=True)
class SameItems:
    """`items` are in both; `referenced` of them have the same reference in both. `persons`: shares of single labels.

    `ranked` is empty where the measure of one of the two is not ρ.
    """

    items: int
    referenced: int
    persons: tuple[Estimate, Estimate]
    raters: tuple[Both, ...]
    ranked: tuple[RankedBoth, ...] = ()


def same_items(
    counts: tuple[Ints, Ints],
    truth: Ints,
    runs: Mapping[str, tuple[Ints, Ints]],
    *,
    labeled_by: str = "people",
    sample: Sample = ITEMS,
) -> SameItems:
    """`counts` are the labels of shape (items, values) in either study, `truth` the references that both share.

    `labeled_by` says whose labels these are, `runs` has, by name, what each says in either study, as codes.
    """
    values = counts[0].shape[1]
    # One assessor alone gives no majority, and is who papers ask without context.
    people = (MAJORITY_OR_ONE if any(lone(one).any() for one in counts) else MAJORITY).format(labeled_by)
    pairs = {people: (_said(counts[0]), _said(counts[1])), **runs}
    answered = {name: pair for name, pair in pairs.items() if any((column != MISSING).any() for column in pair)}
    return SameItems(
        items=len(truth),
        referenced=int((truth != MISSING).sum()),
        persons=(
            against_reference(counts[0], truth, sample=sample),
            against_reference(counts[1], truth, sample=sample),
        ),
        raters=tuple(
            _both(name, one, other, truth, is_people=name == people, values=values, sample=sample)
            for name, (one, other) in answered.items()
        ),
    )


def ranked_in_both(
    ratings: tuple[Floats, Floats],
    runs: Mapping[str, tuple[Floats, Floats]],
    *,
    labeled_by: str = "people",
    sample: Sample = ITEMS,
) -> tuple[RankedBoth, ...]:
    """`ratings` are what scores are compared with in either study, `runs` each run's scores; NaN where there is none.

    >>> ratings = np.arange(40.0)
    >>> people, one = ranked_in_both((ratings, ratings), {"m": (ratings**3, -ratings)})
    >>> people.between.value, one.reached.difference.value, one.between.value
    (1.0, 2.0, -1.0)
    """
    ranked = [RankedBoth(labeled_by, True, None, of_two(*ratings, sample=sample))]
    for name, (one, other) in runs.items():
        if np.isfinite(one).any() and np.isfinite(other).any():
            reached = two_ranked((one, ratings[0]), (other, ratings[1]), sample=sample)
            ranked.append(RankedBoth(name, False, reached, of_two(one, other, sample=sample)))
    return tuple(ranked)


def _said(counts: Ints) -> Ints:
    """The majority of each item; of an item with one label only, that label.

    >>> _said(np.array([[2, 1], [0, 1], [1, 1], [0, 0]])).tolist()
    [0, 1, -1, -1]
    """
    return np.where(lone(counts), counts.argmax(axis=1), majority(counts))


def _both(name: str, one: Ints, other: Ints, truth: Ints, *, is_people: bool, values: int, sample: Sample) -> Both:
    shared = (one != MISSING) & (other != MISSING)
    first, second, true = one[shared], other[shared], truth[shared]
    part = sample.where(shared)
    return Both(
        name=name,
        is_people=is_people,
        one=accuracy(first, true, sample=part),
        other=accuracy(second, true, sample=part),
        difference=difference(first, second, true, sample=part),
        paired=paired(first, second, true, sample=part),
        same=accuracy(first, second, sample=part),
        kappa=cohen(first, second, values=values, sample=part),
    )
