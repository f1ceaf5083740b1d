"""Studies drawn from this one: its items anew, with groups whole, and of each item as many labels as are asked for.

What a study of N items with k labels each would show, by drawing such studies from this one.

Width is that of the 95 % interval over the simulated studies (2 · 1.96 of their standard deviation): what a resampled
interval comes to on average (Efron and Tibshirani 1993, chapter 13). Power is the share of simulated studies in which a
test comes out below .05: McNemar's exact test for two runs (1947), the exact binomial test for a run against chance.
Where items come in groups, both are replaced by the test on the groups' sums (for McNemar: Durkalski, Palesch, Lipsitz
and Rust 2003, Statistics in Medicine 22: 2417–2428; t with one degree less than groups).

What one more person would say of each item, from the labels that it has.

Few labels look more unanimous than people are: three of three says less than that everybody agrees. Each item's shares
are drawn towards the mean of items that are `alike` (of which the runs say the same, so that what runs have right stays
right), by the square root of the reliability of k labels (Spearman 1910; Brown 1910; with Krippendorff's α among those
alike for the reliability of one). By the square root, and not by the whole, because then the items lie as far apart as
they truly do (constrained empirical Bayes: Louis 1984, JASA 79: 393–398): labels drawn anew have the study's own α.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy as sp

from comparison.statistics import tails
from comparison.statistics.accuracy.hits import share
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.alpha import Level, alpha_form
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import MEANINGFUL_WIDTH, SEED


@dataclass(frozen=True, slots=True)
class Design:
    """So many items with so many labels each."""

    items: int
    labels: int

    @property
    def total(self) -> int:
        """The labels to pay for."""
        return self.items * self.labels


@dataclass(frozen=True, slots=True)
class DrawnStudy:
    """One study: the row that each item comes from, its group in this draw, and its labels (items, values)."""

    rows: Ints
    groups: Ints
    counts: Ints


def drawn_studies(chances: Floats, groups: Ints, design: Design, *, studies: int) -> Iterator[DrawnStudy]:
    """`chances` are of shape (items, values); `groups` are codes of what stays together, each another if nothing does.

    The last group is cut where the design is full.

    >>> one, = drawn_studies(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1]), Design(3, 5), studies=1)
    >>> one.counts.sum(axis=1).tolist(), len(one.rows)
    ([5, 5, 5], 3)
    """
    rng = np.random.default_rng((SEED, design.items, design.labels))
    order = np.argsort(groups, kind="stable")
    sizes = np.unique(groups, return_counts=True)[1]
    starts = np.cumsum(sizes) - sizes
    for _ in range(studies):
        places, own = _places(starts, sizes, design.items, rng)
        rows = order[places]
        yield DrawnStudy(rows, own, np.asarray(rng.multinomial(design.labels, chances[rows]), dtype=np.int64))


def _places(starts: Ints, sizes: Ints, items: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Places of whole groups, drawn until there are enough items, and the number of the draw that each belongs to."""
    # No group has less than one item, so this many are enough.
    chosen = rng.integers(len(sizes), size=items)
    ends = np.cumsum(sizes[chosen])
    chosen = chosen[: int(np.searchsorted(ends, items)) + 1]
    length = sizes[chosen]
    own = np.repeat(np.arange(len(chosen)), length)
    within = np.arange(len(own)) - np.repeat(np.cumsum(length) - length, length)
    return (starts[chosen][own] + within)[:items], own[:items]


# Items of which fewer are alike are drawn towards the mean of all: a mean of few would be their own luck.
ENOUGH_ALIKE = 10

STUDIES = 400
# No more labeled items than this are drawn for one design: a large one is drawn less often, and needs it less.
DRAWN_ITEMS = 2_000_000
FEWEST_STUDIES = 100
LEVEL = 0.05
ONE_LABEL = "one label per item gives no majority and no agreement"
NO_MAJORITY = "too few simulated studies have items with a majority"
NO_ALPHA = "too few simulated studies use two labels"
NO_DECISIONS, ONE_RUN = "no run gives labels", "fewer than two runs give labels"


def likely_labels(counts: Ints, *, alike: Ints, ordered: bool) -> Floats:
    """The chance of each label on each item, shape (items, values); every item has a label, some item two.

    Three people each, who agree on two items of three:

    >>> likely_labels(np.array([[3, 0], [0, 3], [1, 2]]), alike=np.zeros(3, dtype=int), ordered=False).round(2)
    array([[0.96, 0.04],
           [0.03, 0.97],
           [0.34, 0.66]])
    """
    given = counts.sum(axis=1, keepdims=True)
    shares = counts / given
    groups = _groups(alike)
    one = _alpha_among(counts, shares, groups, _distances(counts, ordered=ordered))
    kept = np.sqrt(given * one / (1 + (given - 1) * one))
    means = np.column_stack([np.bincount(groups, weights=column) for column in shares.T]) / np.bincount(groups)[:, None]
    return np.asarray(kept * shares + (1 - kept) * means[groups], dtype=np.float64)


def _groups(alike: Ints) -> Ints:
    """Codes from 0 without gaps; those that are too few are one group together."""
    _, codes, sizes = np.unique(alike, return_inverse=True, return_counts=True)
    merged = np.where(sizes[codes] < ENOUGH_ALIKE, len(sizes), codes)
    return np.asarray(np.unique(merged, return_inverse=True)[1], dtype=np.int64)


def _alpha_among(counts: Ints, shares: Floats, groups: Ints, distances: Floats) -> float:
    """α with labels on one item held against labels on different items that are alike; from 0 to 1."""
    given = counts.sum(axis=1)
    pairs = given >= 2
    observed = _disagreement(counts[pairs], distances) / (given[pairs] - 1)
    sizes = np.bincount(groups)
    sums = np.column_stack([np.bincount(groups, weights=column) for column in shares.T])
    own = np.bincount(groups, weights=_disagreement(shares, distances))
    several = sizes >= 2
    # Of every two items of a group; each group as often as it has items.
    between = ((_disagreement(sums, distances) - own)[several] / (sizes[several] - 1)).sum()
    expected = between / sizes[several].sum() if several.any() else 0.0
    return min(max(1 - observed.sum() / given[pairs].sum() / expected, 0.0), 1.0) if expected > 0 else 0.0


def _disagreement(rows: Floats | Ints, distances: Floats) -> Floats:
    return np.asarray(np.einsum("iv,vw,iw->i", rows, distances, rows), dtype=np.float64)


def _distances(counts: Ints, *, ordered: bool) -> Floats:
    """Krippendorff's (2011, section D): ordinal, the labels that lie between; else 1 for any two labels."""
    totals = counts.sum(axis=0)
    if not ordered:
        return 1 - np.eye(len(totals))
    middles = np.cumsum(totals) - totals / 2
    return np.asarray((middles[:, None] - middles[None, :]) ** 2, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What this study knows: labels (items, values), groups, and the decisions of the run in front and the next."""

    counts: Ints
    level: Level
    groups: Ints
    first: Ints | None
    second: Ints | None


@dataclass(frozen=True, slots=True)
class Planned:
    """What to expect of a design. `accuracy` and `alpha` are means with the interval that the study would have."""

    design: Design
    studies: int
    accuracy: Estimate
    alpha: Estimate
    apart: Estimate
    above_chance: Estimate


def planned(here: Here, design: Design, *, studies: int = STUDIES) -> Planned:
    """Every item of `here` has a label. Power has Wilson's interval over the simulated studies.

    Two hundred items of which two runs have .90 and .60 right; fifty would do to tell them apart:

    >>> truth = np.repeat([0, 1], 100)
    >>> places = np.arange(200)
    >>> first, second = np.where(places % 10, truth, 1 - truth), np.where(places % 5 < 3, truth, 1 - truth)
    >>> here = Here(counts=3 * np.eye(2, dtype=int)[truth], level="nominal", groups=places,
    ...             first=first, second=second)
    >>> found = planned(here, Design(50, 3), studies=100)
    >>> found.apart.value > 0.8, found.accuracy.short
    (True, '.90 [.83, .98]')
    """
    # Of a large design fewer are drawn, so that it takes seconds and not minutes.
    number = max(min(studies, DRAWN_ITEMS // design.items), min(studies, FEWEST_STUDIES))
    chances = likely_labels(here.counts, alike=_alike(here), ordered=here.level == "ordinal")
    grouped = len(np.unique(here.groups)) < len(here.groups)
    rows = [
        _figures(here, drawn, grouped=grouped) for drawn in drawn_studies(chances, here.groups, design, studies=number)
    ]
    accuracy, alpha, apart, above = np.array(rows, dtype=np.float64).T
    lone = ONE_LABEL if design.labels == 1 else ""
    return Planned(
        design,
        number,
        accuracy=_spread(accuracy, design, NO_DECISIONS if here.first is None else lone or NO_MAJORITY),
        alpha=_spread(alpha, design, lone or NO_ALPHA),
        apart=_power(apart, ONE_RUN if here.second is None else lone or NO_MAJORITY),
        above_chance=_power(above, NO_DECISIONS if here.first is None else lone or NO_MAJORITY),
    )


def _alike(here: Here) -> Ints:
    """The items of which both runs say the same."""
    size, codes = here.counts.shape[1] + 1, np.zeros(len(here.counts), dtype=np.int64)
    for decided in (here.first, here.second):
        if decided is not None:
            codes = codes * size + decided - MISSING
    return codes


def _figures(here: Here, drawn: DrawnStudy, *, grouped: bool) -> Sequence[float]:
    """Accuracy, α, p between the two runs and p against chance; NaN where this draw has none."""
    truth = majority(drawn.counts)
    groups = drawn.groups if grouped else None
    first = _right(here.first, truth, drawn.rows)
    second = _right(here.second, truth, drawn.rows)
    compared = first[np.isfinite(first)]
    both = np.isfinite(first) & np.isfinite(second)
    chance = 1 / drawn.counts.shape[1]
    return (
        float(compared.mean()) if len(compared) else np.nan,
        _alpha(drawn.counts, here.level),
        _p_apart(first[both] - second[both], groups if groups is None else groups[both]),
        _p_above(first, chance, groups),
    )


def _right(decided: Ints | None, truth: Ints, rows: Ints) -> Floats:
    """1 where the run is right, 0 where it is wrong, NaN where there is nothing to compare; shape (items,)."""
    if decided is None:
        return np.full(len(truth), np.nan)
    own = decided[rows]
    return np.where((own != MISSING) & (truth != MISSING), (own == truth).astype(np.float64), np.nan)


def _alpha(counts: Ints, level: Level) -> float:
    form = alpha_form(counts.shape[1], level)
    return form.value(form.parts(counts[counts.sum(axis=1) >= form.fewest]).sum(axis=0))


def _p_apart(difference: Floats, groups: Ints | None) -> float:
    """Two-sided, from 1, 0 and −1 for each item that both runs answered."""
    if not len(difference):
        return float("nan")
    if groups is not None:
        return 2 * _upper(abs(_t(difference, groups)), groups)
    one, other = int((difference > 0).sum()), int((difference < 0).sum())
    return min(1.0, 2 * float(sp.stats.binom.cdf(min(one, other), one + other, 0.5)))


def _p_above(right: Floats, chance: float, groups: Ints | None) -> float:
    """One-sided: as many right, or more, by guessing."""
    here = np.isfinite(right)
    compared = right[here]
    if not len(compared):
        return float("nan")
    if groups is not None:
        return _upper(_t(compared - chance, groups[here]), groups[here])
    return float(sp.stats.binom.sf(compared.sum() - 1, len(compared), chance))


def _t(parts: Floats, groups: Ints) -> float:
    """The sum over its standard error, groups taken whole; 0 where nothing differs."""
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=parts)
    spread = float(np.sqrt((sums**2).sum()))
    return float(sums.sum()) / spread if spread else 0.0


def _upper(statistic: float, groups: Ints) -> float:
    return float(tails.of_t(statistic, max(len(np.unique(groups)) - 1, 1)))


def _spread(found: Floats, design: Design, reason: str) -> Estimate:
    defined = found[np.isfinite(found)]
    if len(defined) < 0.95 * len(found):
        return Estimate.none(reason, n=design.items)
    value, half = float(defined.mean()), 1.96 * float(defined.std(ddof=1))
    if half < MEANINGFUL_WIDTH:
        return Estimate(value, n=design.items, no_interval="every simulated study gives the same value")
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n=design.items)


def _power(p: Floats, reason: str) -> Estimate:
    if np.isfinite(p).mean() < 0.95:
        return Estimate.none(reason, unit="simulated studies")
    found = share(int((p < LEVEL).sum()), len(p), reason=reason)
    return Estimate(found.value, found.low, found.high, n=found.n, unit="simulated studies")
