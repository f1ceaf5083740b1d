"""Models over several studies: each one's mean rank, and whether any order among them is shown.

Ranks can be averaged and compared only where the same models are ranked in the same studies (Friedman 1937, J. Am.
Stat. Assoc. 32: 675–701; Demšar 2006, J. Mach. Learn. Res. 7: 1–30), so that a mean rank is of a block: models that
were compared in all of its studies. Equal figures share their ranks. That one model stands before another is tested by
the sign-flip test of their differences in rank, study by study, exactly, with a correction over all pairs of the block:
the first model was chosen from all of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy as sp

from comparison.statistics import tails
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate

LEVEL = 0.05
# Fewer studies than this, and an interval over them would say nothing.
ENOUGH = 6
# Sets of studies of which each two are tried.
PAIRED = 50
TOO_FEW = f"fewer than {ENOUGH} studies"
SAME = "the same rank in every study"


@dataclass(frozen=True, slots=True)
class MeanRank:
    """One model: its rank in each study of the block, and their mean over studies.

    `is_first`: none is shown to stand before it.
    """

    ranks: Mapping[str, float]
    mean: Estimate
    is_first: bool


@dataclass(frozen=True, slots=True)
class MeanRanks:
    """A block, models from the first to the last. `needed` is in how many studies an order could be shown at all."""

    studies: tuple[str, ...]
    of: Mapping[str, MeanRank]
    needed: int

    @property
    def first(self) -> tuple[str, ...]:
        return tuple(name for name, rank in self.of.items() if rank.is_first)

    @property
    def shows_order(self) -> bool:
        return len(self.first) < len(self.of)


def mean_ranks(nearness: Mapping[str, Mapping[str, float]]) -> MeanRanks | None:
    """By study, how near each model comes there (more is nearer); None where no two models share two studies.

    >>> found = mean_ranks({"a": {"owl": 0.9, "parrot": 0.7}, "b": {"owl": 0.8, "parrot": 0.8}, "c": {"owl": 0.1}})
    >>> found.studies, [(name, one.mean.value) for name, one in found.of.items()]
    (('a', 'b'), [('owl', 1.25), ('parrot', 1.75)])
    >>> found.shows_order, found.needed, found.of["owl"].mean.no_interval
    (False, 6, 'fewer than 6 studies')
    """
    studies, models = _block(nearness)
    if len(studies) < 2 or len(models) < 2:
        return None
    table = np.array([sp.stats.rankdata([-nearness[study][name] for name in models]) for study in studies])
    order = np.argsort(table.mean(axis=0), kind="stable")
    pairs = len(models) * (len(models) - 1) // 2
    first = table[:, order[0]]
    by_model = {}
    for place in order:
        ranks = table[:, place]
        is_first = pairs * _p(ranks - first) > LEVEL
        by_model[models[place]] = MeanRank(
            dict(zip(studies, ranks.tolist(), strict=True)), _mean(ranks, len(models)), is_first
        )
    # With all differences on one side, p is 2 of 2 to the power of the studies.
    return MeanRanks(studies, by_model, int(np.ceil(np.log2(2 * pairs / LEVEL))))


def _block(nearness: Mapping[str, Mapping[str, float]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The studies and models with the most comparisons, (models − 1) · studies, where all have all figures.

    Studies are tried as each model has them, and as each two of the most frequent sets have in common.
    """
    studies = list(nearness)
    has: Counter[str] = Counter()
    for place, figures in enumerate(nearness.values()):
        for name in figures:
            has[name] |= 1 << place
    own = Counter(has.values())
    often = [one for one, _ in own.most_common(PAIRED)]
    tried = {*own, *(one & other for one, other in combinations(often, 2))}
    blocks = [(one, [name for name in has if has[name] & one == one]) for one in tried if one.bit_count() > 1]
    best, models = max(blocks, key=lambda block: _worth(*block), default=(0, []))
    return tuple(study for place, study in enumerate(studies) if best >> place & 1), tuple(sorted(models))


def _worth(studies: int, models: Sequence[str]) -> tuple[int, int, int]:
    """Last, what tells two of the same size apart, so that the choice is always the same."""
    return studies.bit_count() * (len(models) - 1), len(models), studies


def _mean(ranks: Floats, models: int) -> Estimate:
    """By Student's t over studies, as far as ranks go."""
    value, n = float(ranks.mean()), len(ranks)
    if n < ENOUGH:
        return Estimate(value, n=n, no_interval=TOO_FEW)
    half = float(tails.t_of(LEVEL / 2, n - 1) * ranks.std(ddof=1) / np.sqrt(n))
    if not half:
        return Estimate(value, n=n, no_interval=SAME)
    return Estimate(value, max(1.0, value - half), min(float(models), value + half), n=n)


def _p(differences: Floats) -> float:
    """Two-sided, of all ways to turn the signs of these differences, which are whole or half ranks.

    >>> _p(np.array([1.0, 2.0, 0.5])), _p(np.array([1.0, -1.0])), _p(np.array([0.0]))
    (0.25, 1.0, 1.0)
    """
    steps = [round(2 * abs(one)) for one in differences.tolist()]
    ways = _ways(steps)
    middle, reached = sum(steps), abs(round(2 * float(differences.sum())))
    away = np.abs(np.arange(len(ways)) - middle)
    return float(ways[away >= reached].sum())


def _ways(steps: Iterable[int]) -> Floats:
    """How probable each sum of the steps is, from the least to the greatest, where each has either sign."""
    probabilities = np.ones(1)
    for step in steps:
        wider = np.zeros(len(probabilities) + 2 * step)
        wider[: len(probabilities)] += probabilities / 2
        wider[2 * step :] += probabilities / 2
        probabilities = wider
    return probabilities
