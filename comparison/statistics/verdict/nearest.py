"""Which run comes nearest to people: one rule, for the list of studies, a study's tile and the comparison page.

All runs are held against one truth: people's majority label, or the references where people have none (or where a
reader asks for them). Then:

1. A model comes before a baseline.
2. A model that names labels comes before one whose strengths were cut into degrees, since only these have seen labels.
   Both are held by accuracy.
3. A model that has no accuracy, because it names no label and has no degrees, is held by Spearman's ρ of its strength,
   and comes after all that have one.
4. Among those, the highest lower end of the 95 % interval leads (the value, where there is no interval): a run that
   answered few items must not lead by luck. Of equals, the higher value; then more items; then the run made first.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.statistics.estimate import Estimate

ACCURACY, RHO = "accuracy", "ρ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One run against the truth. `decides`: it names labels itself; else an accuracy is that of degrees by cut points.

    `run` is the run's number: who was made first has the lower one.
    """

    run: int
    is_baseline: bool
    decides: bool
    accuracy: Estimate
    rho: Estimate


@dataclass(frozen=True, slots=True)
class Nearest:
    """The run that leads, by which statistic (ACCURACY or RHO), and how near it comes."""

    run: int
    statistic: str
    estimate: Estimate


def nearest(candidates: Iterable[Candidate]) -> Nearest | None:
    """The run that leads by the rule above; None where no run can be held against the truth.

    >>> def run(number, *, decides, accuracy=Estimate.none("no labels"), rho=Estimate.none("no strengths")):
    ...     return Candidate(run=number, is_baseline=False, decides=decides, accuracy=accuracy, rho=rho)
    >>> few = run(1, decides=True, accuracy=Estimate(0.9, 0.6, 0.98, n=10))
    >>> many = run(2, decides=True, accuracy=Estimate(0.8, 0.77, 0.83, n=900))
    >>> rates = run(3, decides=False, rho=Estimate(0.95, 0.94, 0.96, n=900))
    >>> nearest([few, many, rates])
    Nearest(run=2, statistic='accuracy', estimate=Estimate(value=0.8, low=0.77, high=0.83, n=900, ...))
    >>> nearest([rates]).statistic
    'ρ'
    """
    held = [found for found in map(_held, candidates) if found is not None]
    return max(held, key=lambda found: found[0])[1] if held else None


def strongest(candidates: Iterable[Candidate]) -> Nearest | None:
    """By the same rule with accuracy left out: of the runs that name no label, the one whose strength leads by ρ.

    >>> cut = Candidate(run=7, is_baseline=False, decides=False, accuracy=Estimate(0.5, n=40), rho=Estimate(0.7, n=40))
    >>> strongest([cut]).statistic
    'ρ'
    """
    without = Estimate.none("not asked")
    return nearest(
        Candidate(run=one.run, is_baseline=one.is_baseline, decides=False, accuracy=without, rho=one.rho)
        for one in candidates
        if not one.decides
    )


# Model or baseline; how it is held; lower end, value, items; the run's number.
_Order = tuple[bool, int, float, float, int, int]


def _held(one: Candidate) -> tuple[_Order, Nearest] | None:
    """What a candidate is held by, and its place in the order, the highest first."""
    if one.accuracy.value is not None:
        statistic, estimate, level = ACCURACY, one.accuracy, 2 if one.decides else 1
    elif not one.decides:
        statistic, estimate, level = RHO, one.rho, 0
    else:
        return None
    if estimate.value is None:
        return None
    low = estimate.value if estimate.low is None else estimate.low
    return (
        (not one.is_baseline, level, low, estimate.value, estimate.n, -one.run),
        Nearest(one.run, statistic, estimate),
    )
