"""Runs by Spearman's ρ between their scores and people's mean ratings, on the items that all of them have scored.

The measure of ratings: a score and a mean rating need not be on one scale, and a mean of seven points has no most
common label. Chance is ρ = 0, tested by Fisher's z with the error of the interval, two-sided as the
interval is, each p for as many runs as there are (Holm 1979), so that none is told whose interval holds 0; no constant
has a ρ. The ceiling is what people's means reach with those of as
many others: split halves, stepped up (Spearman 1910; Brown 1910).

Which runs are nearest is told by the same drawn items for all. A drawn set's ρ is linearized: the ρ of all items and
the mean of what each drawn item adds to it (the influence function of a rank correlation, of ranks in all items:
Croux and Dehon 2010, Statistical Methods & Applications 19: 497–515), so that a million items cost what hits cost.

Does the strength of a run rise with the labels? Of models that name no label this is a second line, never a rival to
the verdict; of all runs with scores, one family of tests, it is said by their own check.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from math import atanh

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.chance import at_a_look, holm
from comparison.statistics.counts import MISSING, Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import drawn_sums
from comparison.statistics.resampling.sample import ITEMS, Sample, Z, worth_of_groups
from comparison.statistics.strengths.correlation import BY_LUCK, spearman
from comparison.statistics.strengths.split_half import split_half
from comparison.statistics.verdict.best import (
    FEWEST_GROUPS,
    LEVEL,
    DrawnSums,
    at_once,
    chances,
    confidence_set,
    lead,
    ranks,
)
from comparison.statistics.verdict.evidence import Entrant, Evidence
from comparison.statistics.verdict.parts import Placed, Runs, Settling, Strength
from comparison.statistics.verdict.taking_part import Outside, field

NOTHING_OPEN = Settling(what="", difference=0.0, items=None)
NOBODY = Estimate.none("ρ has no comparison with one annotator")


def ranked(evidence: Evidence) -> Runs:
    """Who follows people's ratings, and who follows them best.

    >>> ratings = np.arange(40.0)
    >>> one = Entrant(run=1, name="A", is_baseline=False, decided=np.full(40, MISSING), scores=ratings**3)
    >>> found = ranked(Evidence(counts=np.zeros((40, 2), dtype=int), truth=np.full(40, MISSING), words=("1", "2"),
    ...     ordered=True, entrants=(one,), measure="spearman", ratings=ratings))
    >>> [(placed.value.value, placed.beats_chance) for placed in found.placed]
    [(1.0, True)]
    """
    has_rating = np.where(np.isfinite(evidence.ratings), 0, MISSING)
    scored = tuple(replace(one, decided=np.where(np.isfinite(one.scores), 0, MISSING)) for one in evidence.entrants)
    known = {one.run: spearman(one.scores, evidence.ratings) for one in evidence.entrants}
    able = tuple(one for one in scored if not known[one.run].undefined or one.is_live or not _has_any(one))
    chosen = field(able, has_rating, evidence.sample, called="scores")
    outside = (*chosen.outside, *(_without(one, known[one.run]) for one in scored if one not in able))
    here = chosen.rows
    sample = evidence.sample.where(here)
    placed = _placed(chosen.inside, evidence.ratings[here], here, sample, evidence.share_in)
    return Runs(
        items=int(here.sum()) if chosen.inside else 0,
        chance=0.0,
        constant=None,
        placed=placed,
        outside=outside,
        strengths=(),
        can_favor=False,
        person=ceiling(evidence),
        settling=NOTHING_OPEN,
        groups=_groups(sample),
    )


def ceiling(evidence: Evidence) -> Estimate:
    """What people's mean ratings reach with those of as many others."""
    if not evidence.counts.any():
        return Estimate.none("no one has labeled")
    rows, codes = np.nonzero(evidence.counts)
    times = evidence.counts[rows, codes]
    return split_half(np.repeat(rows, times), np.repeat(codes + 1.0, times), sample=evidence.sample)[0]


def _groups(sample: Sample) -> int:
    """How many groups the items are in; 0 where they stand alone."""
    return 0 if sample.clusters is None else len(np.unique(sample.clusters))


def _has_any(one: Entrant) -> bool:
    return bool((one.decided != MISSING).any())


def _without(one: Entrant, rho: Estimate) -> Outside:
    return Outside(one.run, one.name, one.is_baseline, rho.undefined)


def _two_sides(found: Sequence[Estimate], groups: int, share_in: float) -> tuple[list[float], list[float]]:
    """p of each run that its ρ is no higher than 0, and that it is no lower, for as many tests as there are runs."""
    both = [(p_of_rho(one, groups, as_drawn=True), one.value or 0.0) for one in found]
    above, below = [p if rho > 0 else 1.0 for p, rho in both], [p if rho < 0 else 1.0 for p, rho in both]
    over, under = (holm([at_a_look(p, share_in) for p in ps]) for ps in (above, below))
    return over, under


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """p of each run of being the best model, and the best of all runs; each model's ranks and share of first places.

    Intervals of the nearest that hold at once are `times` as wide as one alone.
    """

    among: Floats
    level: Floats
    places: dict[int, tuple[int, int]] = field_of(default_factory=dict)
    best: dict[int, float] = field_of(default_factory=dict)
    times: float = 1.0
    ahead: Estimate | None = None


def _in_order(
    models: list[int], scores: list[Floats], ratings: Floats, values: Floats, sample: Sample, share_in: float
) -> _Order:
    """By the same drawn items for all; of too few groups nothing is told apart."""
    among, level = np.ones(len(values)), np.ones(len(values))
    if not models or 0 < _groups(sample) < FEWEST_GROUPS:
        return _Order(among, level)
    drawn = drawn_rhos([(one, ratings) for one in scores], values, sample)
    how = DrawnSums(groups=0.0 if sample.clusters is None else worth_of_groups(sample.clusters), share_in=share_in)
    of_models = values[models], drawn[:, models]
    among[models] = confidence_set(*of_models, how)
    nearest = [place for place in models if among[place] > LEVEL]
    return _Order(
        among=among,
        level=confidence_set(values, drawn, how),
        places=dict(zip(models, ranks(*of_models, how), strict=True)),
        best=dict(zip(models, chances(of_models[1]).tolist(), strict=True)),
        times=at_once(values[nearest], drawn[:, nearest]) / Z,
        ahead=lead(values[nearest], drawn[:, nearest], how, n=len(ratings)) if len(nearest) == 2 else None,
    )


def _placed(
    inside: tuple[Entrant, ...], ratings: Floats, here: NDArray[np.bool_], sample: Sample, share_in: float
) -> tuple[Placed, ...]:
    found = [spearman(one.scores[here], ratings, sample=sample) for one in inside]
    values = np.array([one.value or 0.0 for one in found])
    groups = _groups(sample)
    over, under = _two_sides(found, groups, share_in)
    models = [place for place, one in enumerate(inside) if not one.is_baseline]
    order = _in_order(models, [one.scores[here] for one in inside], ratings, values, sample, share_in)
    rows = [
        Placed(
            run=one.run,
            name=one.name,
            is_baseline=one.is_baseline,
            model=one.model,
            how="",
            value=found[place],
            joint=_jointly(found[place], order.times),
            rank=order.places.get(place, (1, len(models))) if place in models else None,
            best=order.best.get(place),
            chance=0.0,
            over_chance=over[place],
            over_dealt=over[place],
            under_chance=under[place],
            under_constant=None,
            nearest=place in models and bool(order.among[place] > LEVEL),
            ahead=order.ahead if place in models and order.among[place] > LEVEL else None,
            level=bool(order.level[place] > LEVEL),
            beside=NOBODY,
        )
        for place, one in enumerate(inside)
    ]
    return tuple(sorted(rows, key=lambda one: (-(one.value.value or 0.0), one.run)))


def _jointly(one: Estimate, times: float) -> Estimate:
    """With an interval of so many times as many standard errors of Fisher's z."""
    if one.value is None or one.low is None or one.high is None:
        return one
    with np.errstate(divide="ignore"):
        low, middle, high = np.arctanh([one.low, one.value, one.high])
    return replace(
        one, low=float(np.tanh(middle - times * (middle - low))), high=float(np.tanh(middle + times * (high - middle)))
    )


def drawn_rhos(pairs: Sequence[tuple[Floats, Floats]], values: Floats, sample: Sample) -> Floats:
    """Each pair’s ρ over the same drawn items, shape (draws, pairs); `values` are those of all items."""
    adds = [influence(*pair) + value for pair, value in zip(pairs, values, strict=True)]
    _, drawn = drawn_sums(np.column_stack([*adds, np.ones(len(adds[0]))]), sample)
    return np.asarray(drawn[:, :-1] / drawn[:, -1:])


def influence(one: Floats, other: Floats) -> Floats:
    """What each item adds to Spearman's ρ, through the ranks of all others too; in sum 0.

    >>> x, y = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])
    >>> bool(abs(influence(x, y).sum()) < 1e-9)
    True
    """
    n = len(one)
    u, v = ((sp.stats.rankdata(column) - 0.5) / n - 0.5 for column in (one, other))
    both, first, second = (u * v).mean(), (u * u).mean(), (v * v).mean()
    together = u * v + _above(one, v) + _above(other, u) - both
    of_first = u * u + 2 * _above(one, u) - first
    of_second = v * v + 2 * _above(other, v) - second
    rho = both / np.sqrt(first * second)
    adds = together / np.sqrt(first * second) - rho / 2 * (of_first / first + of_second / second)
    return np.asarray(adds - adds.mean())


def _above(column: Floats, weights: Floats) -> Floats:
    """For each item the mean weight of those above it in the column, of equal ones half."""
    points, place = np.unique(column, return_inverse=True)
    sums = np.bincount(place, weights=weights, minlength=len(points))
    return np.asarray(((sums[::-1].cumsum()[::-1] - sums / 2) / len(column))[place])


def strengths(entrants: tuple[Entrant, ...], sample: Sample = ITEMS) -> tuple[Strength, ...]:
    """Runs with a ρ, the highest first, each with p for no correlation (Fisher's z; two-sided; Holm 1979 over all).

    >>> one = Entrant(run=1, name="m", is_baseline=False, decided=np.zeros(0, dtype=int),
    ...     strength=Estimate(0.2, -0.1, 0.46, n=50))
    >>> [(found.name, round(found.p, 2), found.is_told) for found in strengths((one,))]
    [('m', 0.18, False)]
    """
    rated = [one for one in entrants if one.strength.value is not None]
    groups = _groups(sample)
    ps = holm([p_of_rho(one.strength, groups) for one in rated])
    found = [
        Strength(run=one.run, name=one.name, rho=one.strength, p=p, is_heard=not (one.is_baseline or one.names_labels))
        for one, p in zip(rated, ps, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (-(one.rho.value or 0.0), one.run)))


def p_of_rho(rho: Estimate, groups: int, *, as_drawn: bool = False) -> float:
    """Two-sided, by Fisher's z; its error without correlation is 1 / √(worth − 3), the worth that of the interval.

    So items of groups are worth no more here than there, and few groups have Student's t here as there.
    `as_drawn`: with the error of the interval itself, so that p is below .05 where the interval leaves 0 out.
    """
    if rho.value is None or rho.n <= 3:
        return 1.0
    if rho.low is None or rho.high is None:
        return 0.0 if abs(rho.value) == 1 and groups != 1 and rho.no_interval != BY_LUCK else 1.0
    reach = float(tails.t_of(0.025, groups - 1)) if groups else Z
    # An end that few groups push to 1 as a float has no z; the interval is as wide on the other side.
    ends = [end for end in (rho.low, rho.high) if abs(end) < 1]
    if not ends:
        return 1.0
    half = sum(abs(atanh(end) - atanh(rho.value)) for end in ends) / len(ends)
    far = abs(atanh(rho.value)) * reach / half * (1.0 if as_drawn else (1 + rho.value**2 / 2) ** 0.5)
    return float(2 * (tails.of_t(far, groups - 1) if groups else tails.of_normal(far)))
