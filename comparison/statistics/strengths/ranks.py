"""Which word a model ranks higher in a slot: accuracy, mean reciprocal rank and mean rank difference, by attribute.

As in Lorge and Pierrehumbert (2023, BlackboxNLP): of the words offered for a slot, the first role's (the intensifier)
is held against the best of the others (the negation). Ranks are places in the model's whole vocabulary, from 1. Free
of Django.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.hits import share
from comparison.statistics.counts import Floats, values_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import mean
from scoring.ranks import Ranks

NO_RANKS = "no item has ranks"
NO_NEUTRAL = "no item has ranks in a neutral context"


@dataclass(frozen=True, slots=True)
class RankFigures:
    """`count` items have the first role above; None where the figures are differences."""

    accuracy: Estimate
    reciprocal: Estimate
    difference: Estimate
    count: int | None = None

    @property
    def named(self) -> tuple[tuple[str, Estimate, int | None], ...]:
        """As they are called in files."""
        return (
            ("accuracy", self.accuracy, self.count),
            ("mrr", self.reciprocal, None),
            ("mean_rank_difference", self.difference, None),
        )


@dataclass(frozen=True, slots=True)
class RankRow:
    """The figures of the items that share a value. `gain` is in context minus neutral, over items that have both."""

    value: str
    items: int
    context: RankFigures
    neutral: RankFigures | None
    gain: RankFigures | None

    @property
    def contexts(self) -> tuple[tuple[str, RankFigures], ...]:
        """As they are called in files."""
        found = (("in context", self.context), ("neutral", self.neutral), ("difference", self.gain))
        return tuple((name, figures) for name, figures in found if figures is not None)


def no_ranks(items: int) -> Ranks:
    """What a run says that gives no ranks."""
    return Ranks(np.full(items, np.nan), np.full(items, np.nan))


def rank_figures(ranks: Ranks, *, reason: str = NO_RANKS) -> RankFigures:
    """Accuracy with Wilson's interval; the means with intervals by drawing items anew.

    >>> found = rank_figures(Ranks(np.array([1.0, 4.0]), np.array([3.0, 2.0])))
    >>> found.count, found.accuracy.value, found.reciprocal.value, found.difference.value
    (1, 0.5, 0.625, 0.0)
    """
    known = ranks.where(ranks.known)
    count, total = int(known.above.sum()), len(known.first)
    return RankFigures(
        share(count, total, reason=reason),
        _mean(known.reciprocal, reason),
        _mean(known.difference, reason),
        count,
    )


def rank_gain(context: Ranks, neutral: Ranks) -> RankFigures:
    """Every figure in context minus in the neutral context, item by item, with intervals by drawing items anew."""
    both = context.known & neutral.known
    one, other = context.where(both), neutral.where(both)
    return RankFigures(
        _mean(one.above - other.above, NO_NEUTRAL),
        _mean(one.reciprocal - other.reciprocal, NO_NEUTRAL),
        _mean(one.difference - other.difference, NO_NEUTRAL),
    )


def rank_row(value: str, context: Ranks, neutral: Ranks | None) -> RankRow:
    """All figures of these items."""
    return RankRow(
        value=value,
        items=len(context.first),
        context=rank_figures(context),
        neutral=None if neutral is None else rank_figures(neutral, reason=NO_NEUTRAL),
        gain=None if neutral is None else rank_gain(context, neutral),
    )


def rank_rows(
    attribute: Iterable[str],
    context: Ranks,
    neutral: Ranks | None,
    *,
    order: Sequence[str] = (),
    most: int | None = None,
) -> tuple[RankRow, ...]:
    """One row a value of the attribute, in `order` or else the largest first (ties by name), at most `most` of them."""
    column, names = values_of(attribute, order=order, most=most)
    rows = []
    for name in names:
        here = column == name
        rows.append(rank_row(name, context.where(here), None if neutral is None else neutral.where(here)))
    return tuple(rows)


def _mean(values: Floats, reason: str) -> Estimate:
    return mean(values) if len(values) else Estimate.none(reason)
