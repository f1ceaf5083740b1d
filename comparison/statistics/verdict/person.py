"""One person's labels and a run's, held against the same: what the others agree on, or the reference.

Each label of an item is left out in turn, and both it and the run's are held against the majority of the others. So the
two are compared like for like, though the majority of all labels, against which runs stand elsewhere, is a little
better than that of all but one. A label weighs what its item has of labels, so that items weigh alike. Intervals are
over items and people (two_way.py).

A run beside one person rests on the same: which of the two gives the label that the other people agree on more often.
Each person is left out in turn. Where the others of an item have a majority, both the person's label and the run's are
held against it: the same items and the same truth, so that the run has no better majority than the person (which is
what plain accuracy gives it).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.accuracy.ceiling import NO_OTHERS
from comparison.statistics.aggregation import of_the_others
from comparison.statistics.agreement.coefficient import agreeing
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.evidence import MAJORITY, Voices
from comparison.statistics.verdict.measure import ACCURACY, Measure, measure_of
from comparison.statistics.verdict.two_way import Units, interval, linearized
from comparison.statistics.wilson import where_all_agree
from corpus.errors import counted

# Two others must agree, so that one can be held against them.
FEWEST_LABELS = 3
# Items with enough labels are a selected part where they differ from the rest by more than this many standard errors.
APART = 1.645
# Means that are nearer are the same.
SAME = 1e-5
# The sum of both normal quantiles of a two-sided test of .05 with a power of .8, squared.
POWERED = 7.85
NO_LABELED_REFERENCE = "no item with a reference is labeled"
NOBODY_BESIDE = "no one to compare with"


@dataclass(frozen=True, slots=True)
class Besides:
    """What one person reaches, and how much nearer each run is on the same labels.

    `spread`: of each difference, the variance of one item, and the variance that stays however many items there are.
    `withheld` says why there is no figure though labels could be held.
    """

    person: Estimate
    runs: tuple[Estimate, ...]
    spread: tuple[tuple[float, float], ...] = ()
    items: int = 0
    withheld: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """Columns of the measure by label, shape (rows, values, m), weighed so that items count alike."""

    given: Floats
    person: Floats
    runs: list[Floats]


def besides(
    measure: Measure,
    counts: Ints,
    truth: Ints,
    decided: list[Ints],
    *,
    against: str,
    here: NDArray[np.bool_],
    voices: Voices | None = None,
    sample: Sample = ITEMS,
) -> Besides:
    """On the rows of `here`; without `voices`, who gave which label, intervals are over items alone.

    Of three labels, the two that agree leave two others that do not, and the third is held against them; the run too:

    >>> from comparison.statistics.verdict.measure import measure_of
    >>> found = besides(measure_of("accuracy", ordered=False), np.array([[2, 1], [3, 0]]), np.array([0, 0]),
    ...     [np.array([0, 0])], against="majority", here=np.array([True, True]))
    >>> found.person.value, found.runs[0].value, found.person.note
    (0.75, 0.25, 'labels on 2 items')
    """
    tries = held_labels(counts, truth, against=against) * here
    if not tries.any():
        reason = NO_OTHERS if against == MAJORITY else NO_LABELED_REFERENCE
        return Besides(Estimate.none(reason, unit="labels"), tuple(Estimate.none(NOBODY_BESIDE) for _ in decided))
    if against == MAJORITY and (reason := selected_part(counts, decided, here=here, sample=sample)):
        nothing = Estimate.none(reason, unit="labels")
        return Besides(nothing, tuple(nothing for _ in decided), withheld=reason)
    held = _held(measure, counts * here[:, None], truth, decided, against=against)
    units = Units(held.given, tries > 0, voices, sample)
    own, person = linearized(measure.of_sums, held.person, units)
    least, most = measure.ends(counts.shape[1])
    items, labels = sample.size(tries > 0), int(sample.total(tries))
    note = f"labels on {counted(items, 'item')}"
    differences, spread = [], []
    for columns in held.runs:
        value, slope = linearized(measure.of_sums, columns, units)
        gap = measure.sign * (value - own)
        over, of_people = units.variances(measure.sign * (slope - person))
        found = interval(gap, over + of_people, units, labels, note)
        differences.append(replace(found.within(least - most, most - least), unit="labels"))
        spread.append((items * over, of_people))
    found = interval(own, sum(units.variances(person)), units, labels, note)
    found = found.within(least if own < 0 else 0.0, most)
    if measure.key == ACCURACY:
        found = where_all_agree(found, units=units.freedom + 1)
    return Besides(replace(found, unit="labels"), tuple(differences), tuple(spread), items)


def one_annotator(
    counts: Ints, truth: Ints, *, against: str, voices: Voices | None = None, sample: Sample = ITEMS
) -> Estimate:
    """The share of one person's labels that are right, on all rows that have labels enough; n is labels.

    >>> one_annotator(np.array([[2, 1], [3, 0]]), np.array([0, 0]), against="majority").value
    0.75
    """
    everywhere = np.ones(len(counts), dtype=bool)
    by = measure_of(ACCURACY, ordered=False)
    return besides(by, counts, truth, [], against=against, here=everywhere, voices=voices, sample=sample).person


def selected_part(counts: Ints, decided: list[Ints], *, here: NDArray[np.bool_], sample: Sample = ITEMS) -> str:
    """Why items with three labels do not stand for the rest, in words; empty where they may.

    They do not where people agree on them more or less often than on those with two, or runs give their labels.
    """
    totals = counts.sum(axis=1)
    asked, labeled = here & (totals >= FEWEST_LABELS), here & (totals > 0)
    if not (labeled & ~asked).any():
        return ""
    pairs = agreeing(counts, np.eye(counts.shape[1]))
    gaps = [_gap(pairs, asked, labeled & ~asked & (totals > 1), sample)]
    if decided:
        rows, shares = np.arange(len(counts)), counts / np.maximum(totals, 1)[:, None]
        said = [np.where(one == MISSING, 0.0, shares[rows, one]) for one in decided]
        gaps.append(_gap(np.mean(said, axis=0), asked, labeled & ~asked, sample))
    if max(gaps) <= APART:
        return ""
    return (
        f"only {sample.size(asked):,} of {counted(sample.size(labeled), 'item')} have the three labels needed, "
        "and they are not a random sample"
    )


def _gap(values: Floats, some: NDArray[np.bool_], others: NDArray[np.bool_], sample: Sample) -> float:
    """How many standard errors two means are apart; 0 where either has fewer than two items."""
    means, spread = [], 0.0
    for rows in (some, others):
        own, n = sample.where(rows), sample.size(rows)
        if n < 2:
            return 0.0
        mean = own.total(values[rows]) / n
        means.append(mean)
        spread += own.total((values[rows] - mean) ** 2) / (n - 1) / n
    apart = abs(means[0] - means[1])
    return apart / spread**0.5 if spread > 0 else float("inf") if apart > SAME else 0.0


def held_labels(counts: Ints, truth: Ints, *, against: str) -> Ints:
    """How many labels of each row are held against anything, shape (rows,): fewer than there are, where others tie.

    >>> held_labels(np.array([[2, 1], [2, 0], [1, 1]]), np.array([0, 0, -1]), against="majority").tolist()
    [1, 0, 0]
    """
    if against != MAJORITY:
        return np.where(truth != MISSING, counts.sum(axis=1), 0)
    held = np.zeros(len(counts), dtype=np.int64)
    for _, given, agreed in of_the_others(counts):
        held += np.where(agreed != MISSING, given, 0)
    return held


def _held(measure: Measure, counts: Ints, truth: Ints, decided: list[Ints], *, against: str) -> _Held:
    values, weight = counts.shape[1], 1 / np.maximum(counts.sum(axis=1), 1)
    person, runs = [], [list[Floats]() for _ in decided]
    for value, _, agreed in of_the_others(counts):
        others = agreed if against == MAJORITY else truth
        person.append(weight[:, None] * measure.columns(np.full_like(truth, value), others, values))
        for columns, labels in zip(runs, decided, strict=True):
            columns.append(weight[:, None] * measure.columns(labels, others, values))
    return _Held(counts.astype(np.float64), np.stack(person, axis=1), [np.stack(one, axis=1) for one in runs])


NOT_DECIDED = "the run labels no item where the other annotators have a majority"


@dataclass(frozen=True, slots=True)
class PersonComparison:
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


def compare_with_person(
    decided: Ints, counts: Ints, *, voices: Voices | None = None, sample: Sample = ITEMS
) -> PersonComparison:
    """A run's codes, shape (items,), and people's labels counted as (items, values). n is labels.

    Of the second item, only the one who dissents is held against two who agree, and so is the run:

    >>> found = compare_with_person(np.array([0, 0]), np.array([[3, 0], [2, 1]]))
    >>> found.run, found.person, found.difference.value
    (1.0, 0.75, 0.25)
    """
    here = (decided != MISSING) & (counts.sum(axis=1) > 1)
    by, nothing = measure_of(ACCURACY, ordered=False), np.full(len(counts), MISSING)
    found = besides(by, counts, nothing, [decided], against=MAJORITY, here=here, voices=voices, sample=sample)
    person, difference = found.person, found.runs[0]
    if person.value is not None and difference.value is not None:
        return PersonComparison(person.value + difference.value, person.value, difference)
    can_be = held_labels(counts, nothing, against=MAJORITY).any()
    reason = found.withheld or (NOT_DECIDED if can_be else NO_OTHERS)
    return PersonComparison(None, None, Estimate.none(reason, unit="labels"))
