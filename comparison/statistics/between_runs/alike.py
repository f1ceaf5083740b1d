"""How often two runs give the same label to the same item, and how far beyond chance: the matrix of runs.

Percent and Cohen's κ (1960) on the items that both label. No truth is in it: two runs can be equally often right, and
agree no more than chance would have it, or make the same mistakes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from comparison.statistics.accuracy.hits import NOTHING_SHARED as NO_DECISION_AND_LABEL
from comparison.statistics.accuracy.hits import Hits, accuracy, kappa
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

NO_DECISIONS = "no item has a decision from both"


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
