"""Accuracy for each value of an attribute: which adverbs, classes or phenomena are hard."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from comparison.statistics.accuracy.ceiling import against_reference, ceiling
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.aggregation.majority import majority
from comparison.statistics.agreement.percent import percent_agreement
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.values import WITHOUT, values_of


@dataclass(frozen=True, slots=True)
class Group:
    """The items that share one value of an attribute.

    `person` is one person against what runs are held against: the majority of the others, or the references;
    `majority` is people's majority against the references, None where runs are held against itself.
    """

    value: str
    items: int
    agreement: Estimate
    person: Estimate
    majority: Hits | None
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
    of_references: bool = False,
    order: Sequence[str] = (),
    most: int | None = None,
    sample: Sample = ITEMS,
) -> tuple[Group, ...]:
    """One group a value, in `order` or else the largest first (ties by name), at most `most` of them.

    `attribute`, `counts` (items, values), `truth` and every run's decisions are in the order of the items; the truth is
    that `of_references`, or people's majority.

    >>> import numpy as np
    >>> counts, truth = np.array([[2, 0], [0, 2], [2, 0]]), np.array([0, 1, 0])
    >>> found = breakdown(["verb", "noun", "verb"], counts, truth, {"run": np.array([0, 0, 1])})
    >>> [(group.value, group.items, group.runs["run"].correct) for group in found]
    [('verb', 2, 1), ('noun', 1, 0)]
    """
    column, values = values_of(attribute, order=order, most=most)
    groups = []
    for name in values:
        here = column == name
        part, said, true = sample.where(here), counts[here], truth[here]
        groups.append(
            Group(
                value=name,
                items=int(here.sum()),
                agreement=percent_agreement(said, sample=part),
                person=against_reference(said, true, sample=part) if of_references else ceiling(said, sample=part),
                majority=accuracy(majority(said), true, sample=part) if of_references else None,
                runs={key: accuracy(decided[here], true, sample=part) for key, decided in runs.items()},
            )
        )
    return tuple(groups)
