"""The same figures for each value of an attribute: which adverbs, classes or phenomena are hard."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.ceiling import ceiling
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.agreement.coefficients import percent_agreement
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

# What stands for "this item has no such attribute".
WITHOUT = "(none)"


@dataclass(frozen=True, slots=True)
class Group:
    """The items that share one value of an attribute."""

    value: str
    items: int
    agreement: Estimate
    ceiling: Estimate
    runs: Mapping[str, Hits]

    @property
    def address(self) -> str:
        """The value as a filter in the address, where an absent attribute is empty."""
        return "" if self.value == WITHOUT else self.value


def breakdown(
    attribute: Iterable[str],
    counts: Ints,
    truth: Ints,
    runs: Mapping[str, Ints],
    *,
    most: int | None = None,
    sample: Sample = ITEMS,
) -> tuple[Group, ...]:
    """One group a value, the largest first (ties by name), at most `most` of them.

    `attribute`, `counts` (items, values), `truth` and every run's decisions are in the order of the items.

    >>> counts, truth = np.array([[2, 0], [0, 2], [2, 0]]), np.array([0, 1, 0])
    >>> found = breakdown(["verb", "noun", "verb"], counts, truth, {"run": np.array([0, 0, 1])})
    >>> [(group.value, group.items, group.runs["run"].correct) for group in found]
    [('verb', 2, 1), ('noun', 1, 0)]
    """
    column = np.asarray([value or WITHOUT for value in attribute])
    names, sizes = np.unique(column, return_counts=True)
    order = sorted(zip(names.tolist(), sizes.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))
    groups = []
    for name, size in order[:most]:
        here = column == name
        part = sample.where(here)
        groups.append(
            Group(
                value=name,
                items=size,
                agreement=percent_agreement(counts[here]),
                ceiling=ceiling(counts[here], sample=part),
                runs={key: accuracy(decided[here], truth[here], sample=part) for key, decided in runs.items()},
            )
        )
    return tuple(groups)
