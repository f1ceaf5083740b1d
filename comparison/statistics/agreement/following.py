"""Runs that follow one annotator: a copy agrees with its source beyond what either has in common with the others.

Where answers have nothing in common but what is right of an item, and how easy that is to see, agreement beyond chance
is a product of two raters' skill. With people's other labels O, the run x and the annotator r then have
c(x, r) c(O, O) = c(x, O) c(r, O), so that Spearman's tetrad difference (1904, American Journal of Psychology 15:
201–292) is 0 for a run and an annotator who are both good. It is tested by leaving out one item (or group of items) at
a time, one-sided, with Holm's correction over all pairs of a run and an annotator. c is of labels alike, on ordered
scales of cuts between degrees.

A bias that both have, such as a lenient threshold, is no copy: the test must hold also for what lies under the labels,
wherever each rater cuts it. Of tetrachoric correlations (Bonett and Price 2005, Journal of Educational and Behavioral
Statistics 30: 213–225), that of run and annotator must be above what theirs with the others give, by Fisher's z.

A run is said to follow one annotator where that is shown, where it gives that one's labels at least .1 more often than
the others', and where no other annotator has half as much in common with it (p of .05, one by one): in a camp nobody
is the source. A copy of somebody who is nearly always right cannot be told from a run that is.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from comparison.statistics import tails
from comparison.statistics.agreement.coded_labels import numbered
from comparison.statistics.chance import holm
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.resampling.left_out import variance
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

LEVEL = 0.05
# On fewer items of one annotator nothing is asked; of what lies nearer together nothing is said.
FEWEST, WELL_ABOVE = 30, 0.1
# Of correlations: no sample shows more.
MOST = 0.999


@dataclass(frozen=True, slots=True)
class Follows:
    """How often a run gives one annotator's labels, and how often those of the others, on the same items."""

    run: int
    rater: int
    alike: float
    others: float
    items: int


@dataclass(frozen=True, slots=True)
class _Pair:
    found: Follows
    p: float
    excess: float


def following(
    decided: Mapping[int, Ints],
    rows: Ints,
    raters: Ints,
    labels: Ints,
    counts: Ints,
    *,
    ordered: bool = False,
    sample: Sample = ITEMS,
) -> tuple[Follows, ...]:
    """Of runs' codes, each of shape (rows,), and labels one by one (row, rater, code) and counted.

    >>> from comparison.statistics.counts import count
    >>> rng = np.random.default_rng(1)
    >>> truth, rows, raters = rng.integers(2, size=200), np.repeat(np.arange(200), 4), np.tile(np.arange(4), 200)
    >>> labels = np.where(rng.random(800) < 0.8, truth[rows], 1 - truth[rows])
    >>> [found] = following({7: labels[raters == 2]}, rows, raters, labels, count(rows, labels, size=200, values=2))
    >>> found.run, found.rater, found.alike, found.items
    (7, 2, 1.0, 200)
    """
    size = counts.shape[1]
    # What is said of each label, or of each cut between degrees: 1 or 0. Of two labels, one says it all.
    places = np.tri(size, size - 1, -1) if ordered or size == 2 else np.eye(size)
    of_one = np.split(np.argsort(raters, kind="stable"), np.flatnonzero(np.diff(np.sort(raters))) + 1)
    pairs = [
        pair
        for own in of_one
        for run, codes in decided.items()
        if (pair := _pair(run, int(raters[own[0]]), codes, rows[own], labels[own], counts, places, sample))
    ]
    held = holm([pair.p for pair in pairs])
    return tuple(
        pair.found
        for pair, p in zip(pairs, held, strict=True)
        if p <= LEVEL
        and pair.found.alike - pair.found.others >= WELL_ABOVE
        and not any(
            one.found.run == pair.found.run and one is not pair and one.p <= LEVEL and one.excess > pair.excess / 2
            for one in pairs
        )
    )


def _pair(
    run: int, rater: int, decided: Ints, rows: Ints, labels: Ints, counts: Ints, places: Floats, sample: Sample
) -> _Pair | None:
    """None on too few items with a label of the run and of two others."""
    others = counts[rows].copy()
    others[np.arange(len(rows)), labels] -= 1
    many, said = others.sum(axis=1), decided[rows]
    here = (many > 1) & (said != MISSING)
    if int(here.sum()) < FEWEST:
        return None
    rows, labels, others, many, said = rows[here], labels[here], others[here], many[here], said[here]
    parts = _parts(places[said], places[labels], others @ places, many)
    if sample.clusters is not None:
        parts = cluster_sums(parts, numbered(sample.clusters[rows])[1])
    sums = parts.sum(axis=0)
    tetrads, left_out = _tetrads(sums[None])[0], _tetrads(sums - parts)
    spread = np.array([variance(left_out[:, 0]), variance(left_out[:, 1])])
    if not (spread > 0).all():
        return None
    alike, shared = float((said == labels).mean()), float((others[np.arange(len(rows)), said] / many).mean())
    found = Follows(run, rater, alike, shared, len(rows))
    p = tails.of_t(tetrads[:2] / spread**0.5, len(parts) - 1).max()
    return _Pair(found, float(p), float(tetrads[2]))


def _parts(run: Floats, own: Floats, sums: Floats, many: Ints) -> Floats:
    """What each item adds: itself and, of each place, four products and those of run, annotator and others."""
    mean = sums / many[:, None]
    among = sums * (sums - 1) / (many * (many - 1))[:, None]
    return np.column_stack([np.ones(len(many)), run * own, run * mean, own * mean, among, run, own, mean])


def _tetrads(sums: Floats) -> Floats:
    """The tetrad difference of labels, what lies under them by z, and the first as agreement, shape (m, 3)."""
    n = sums[:, :1]
    with_own, with_others, own_others, among, run, own, others = np.split(sums[:, 1:] / n, 7, axis=1)
    pairs = ((with_own, run, own), (among, others, others), (with_others, run, others), (own_others, own, others))
    alike = [(both - one * other).sum(axis=1) for both, one, other in pairs]
    tetrad = alike[0] * alike[1] - alike[2] * alike[3]
    # Places that are seldom said tell little.
    weights = others * (1 - others)
    under = [_tetrachoric(both, one, other, n) for both, one, other in pairs]
    expected = under[2] * under[3] / np.maximum(under[1], 1e-9)
    apart = np.arctanh(np.clip(under[0], -MOST, MOST)) - np.arctanh(np.clip(expected, -MOST, MOST))
    unbiased = (apart * weights).sum(axis=1)
    return np.column_stack([tetrad, unbiased, tetrad / np.maximum(alike[1], 1e-9)])


def _tetrachoric(both: Floats, one: Floats, other: Floats, n: Floats) -> Floats:
    """The correlation of what lies under two columns of 1 and 0; a tenth of an item is added to each cell."""
    cells = [np.maximum(share * n, 0) + 0.1 for share in (both, one - both, other - both, 1 - one - other + both)]
    odds = cells[0] * cells[3] / (cells[1] * cells[2])
    rarest = np.minimum(np.minimum(one, 1 - one), np.minimum(other, 1 - other))
    power = (1 - np.abs(one - other) / 5 - (0.5 - rarest) ** 2) / 2
    return np.asarray(np.cos(np.pi / (1 + odds**power)))
