"""A run beside one person: which of the two gives the label that the other people agree on more often.

Each person is left out in turn. Where the others of an item have a majority, both the person's label and the run's are
held against it: the same items and the same truth, so that the run has no better majority than the person (which is
what plain accuracy gives it). The difference has an interval by drawing items anew, with all labels of an item.
"""

from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.accuracy.ceiling import NO_OTHERS
from comparison.statistics.aggregation.majority import of_the_others
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, counted, plain
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

NOT_DECIDED = "the run labels no item on which the others of one have a majority"


@dataclass(frozen=True, slots=True)
class BesidePerson:
    """Shares of labels (`run`, `person`) that equal the others' majority; `difference`: the run's less the person's."""

    run: float | None
    person: float | None
    difference: Estimate

    @property
    def run_words(self) -> str:
        return "" if self.run is None else plain(self.run, decimals=2)

    @property
    def person_words(self) -> str:
        return "" if self.person is None else plain(self.person, decimals=2)

    @property
    def verdict(self) -> str:
        """In words what the interval says; empty where there is none."""
        low, high = self.difference.low, self.difference.high
        if low is None or high is None:
            return ""
        if low > 0:
            return "nearer to the others than one of them is"
        return "farther from the others than one of them is" if high < 0 else "cannot be told from one of them"


def beside_person(decided: Ints, counts: Ints, *, sample: Sample = ITEMS) -> BesidePerson:
    """A run's codes, shape (items,), and people's labels counted as (items, values). n is labels.

    Of the second item, only the one who dissents is held against two who agree, and so is the run:

    >>> found = beside_person(np.array([0, 0]), np.array([[3, 0], [2, 1]]))
    >>> found.run, found.person, found.difference.value
    (1.0, 0.75, 0.25)
    """
    run, person, tries = _held(decided, counts)
    if not tries.any():
        return BesidePerson(None, None, Estimate.none(NO_OTHERS, unit="labels"))
    used = (tries > 0) & (decided != MISSING)
    own = sample.where(used)
    labels = own.total(tries[used])
    if not labels:
        return BesidePerson(None, None, Estimate.none(NOT_DECIDED, unit="labels"))
    contributions = np.column_stack([run - person, tries])[used]
    note = f"labels on {counted(sample.size(used), 'item')}"
    shares = own.total(run[used]) / labels, own.total(person[used]) / labels
    found = estimate(
        own.total(contributions[:, 0]) / labels,
        contributions,
        lambda sums: sums[:, 0] / sums[:, 1],
        n=int(labels),
        note=note,
        sample=own,
    )
    return BesidePerson(*shares, replace(found, unit="labels"))


def _held(decided: Ints, counts: Ints) -> tuple[Floats, Floats, Floats]:
    """For each item: labels whose others have a majority, and on how many of them the run and the person give it."""
    run, person, tries = (np.zeros(len(counts)) for _ in range(3))
    for value, given, agreed in of_the_others(counts):
        tries += np.where(agreed != MISSING, given, 0)
        person += np.where(agreed == value, given, 0)
        run += np.where((agreed != MISSING) & (agreed == decided), given, 0)
    return run, person, tries
