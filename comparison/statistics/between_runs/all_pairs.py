"""McNemar's test of every two runs, with p held down for as many looks (Holm 1979, Scand. J. Statist. 6: 65–70).

Of forty-five pairs of ten equally good runs, two differ by chance at p < .05. Holm's correction keeps the probability
of naming even one such pair below the level, whatever the pairs have to do with one another.

How often two runs give the same label to the same item, and how far beyond chance: the matrix of runs.

Percent and Cohen's κ (1960) on the items that both label. No truth is in it: two runs can be equally often right, and
agree no more than chance would have it, or make the same mistakes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from comparison.statistics.accuracy.hits import NOTHING_SHARED as NO_DECISION_AND_LABEL
from comparison.statistics.accuracy.hits import Hits, accuracy, kappa
from comparison.statistics.between_runs.mcnemar import Paired, p_in_words, paired
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.holm import holm
from comparison.statistics.resampling.sample import ITEMS, Sample

NO_DECISIONS = "no item has a decision from both"

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Alike:
    """Two runs by their keys."""

    one: str
    other: str
    same: Hits
    kappa: Estimate


def alike(runs: Mapping[str, Ints], *, values: int, sample: Sample = ITEMS) -> tuple[Alike, ...]:
    """Each run's decisions by its key, as codes of shape (items,); every two runs once.

    >>> found = alike({"a": np.array([0, 0, 1, 1]), "b": np.array([0, 0, 1, 0])}, values=2)
    >>> found[0].same.correct, found[0].same.compared, found[0].kappa.value
    (3, 4, 0.5)
    """
    return tuple(
        Alike(one, other, *_of_two(runs[one], runs[other], values, sample)) for one, other in combinations(runs, 2)
    )


def _of_two(one: Ints, other: Ints, values: int, sample: Sample) -> tuple[Hits, Estimate]:
    same = accuracy(one, other, sample=sample)
    beyond = kappa(one, other, values=values, sample=sample)
    return replace(same, accuracy=_in_words(same.accuracy)), _in_words(beyond)


def _in_words(found: Estimate) -> Estimate:
    """Neither of two runs is taken as true."""
    return replace(found, undefined=NO_DECISIONS) if found.undefined == NO_DECISION_AND_LABEL else found


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs by their keys. `held` is p after Holm over the `of` pairs that have one; None where there is no p."""

    one: str
    other: str
    paired: Paired
    held: float | None
    of: int

    @property
    def differ(self) -> bool:
        return self.held is not None and self.held < LEVEL

    @property
    def held_words(self) -> str:
        return "" if self.held is None else p_in_words(self.held)


def all_pairs(runs: Mapping[str, Ints], truth: Ints, *, sample: Sample = ITEMS) -> tuple[Pair, ...]:
    """Each run's decisions by its key, and what is true, as codes of shape (items,). A pair has the items both label.

    >>> truth = np.zeros(9, dtype=int)
    >>> found = all_pairs({"good": truth, "bad": truth + 1, "worse": truth + 1}, truth)
    >>> [(one.one, one.other, one.paired.p_words, one.held_words) for one in found[:2]]
    [('good', 'bad', 'p = .004', 'p = .008'), ('good', 'worse', 'p = .004', 'p = .008')]
    >>> found[2].paired.p_words
    'undefined, because the two are right and wrong on the same items'
    """
    tests = {(one, other): paired(runs[one], runs[other], truth, sample=sample) for one, other in combinations(runs, 2)}
    known = {pair: test.p for pair, test in tests.items() if test.p is not None}
    held = dict(zip(known, holm(known.values()), strict=True))
    return tuple(Pair(*pair, test, held.get(pair), len(held)) for pair, test in tests.items())
