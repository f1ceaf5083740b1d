"""A run beside one person: which of the two gives the label that the other people agree on more often.

Each person is left out in turn. Where the others of an item have a majority, both the person's label and the run's are
held against it: the same items and the same truth, so that the run has no better majority than the person (which is
what plain accuracy gives it). Figures and interval are those of the verdict (verdict/person.py).
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.ceiling import NO_OTHERS
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.evidence import MAJORITY, Voices
from comparison.statistics.verdict.measure import ACCURACY, measure_of
from comparison.statistics.verdict.person import besides, held_labels

NOT_DECIDED = "the run labels no item where the other annotators have a majority"


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
        return "farther from the others than one of them is" if high < 0 else "not shown to differ from one of them"


def beside_person(decided: Ints, counts: Ints, *, voices: Voices | None = None, sample: Sample = ITEMS) -> BesidePerson:
    """A run's codes, shape (items,), and people's labels counted as (items, values). n is labels.

    Of the second item, only the one who dissents is held against two who agree, and so is the run:

    >>> found = beside_person(np.array([0, 0]), np.array([[3, 0], [2, 1]]))
    >>> found.run, found.person, found.difference.value
    (1.0, 0.75, 0.25)
    """
    here = (decided != MISSING) & (counts.sum(axis=1) > 1)
    by, nothing = measure_of(ACCURACY, ordered=False), np.full(len(counts), MISSING)
    found = besides(by, counts, nothing, [decided], against=MAJORITY, here=here, voices=voices, sample=sample)
    person, difference = found.person, found.runs[0]
    if person.value is not None and difference.value is not None:
        return BesidePerson(person.value + difference.value, person.value, difference)
    can_be = held_labels(counts, nothing, against=MAJORITY).any()
    reason = found.withheld or (NOT_DECIDED if can_be else NO_OTHERS)
    return BesidePerson(None, None, Estimate.none(reason, unit="labels"))
