"""Runs that follow one annotator: a copy agrees with its source beyond what either has in common with the others.

Where answers have nothing in common but what is right of an item, and how easy that is to see, agreement beyond chance
is a product of two raters' skill. With people's other labels O, the run x and the annotator r then have
c(x, r) c(O, O) = c(x, O) c(r, O), so that Spearman's tetrad difference (1904, American Journal of Psychology 15:
201–292) is 0 for a run and an annotator who are both good. It is tested by leaving out one item (or group of items) at
a time, one-sided, with Holm's correction over all pairs of a run and an annotator. c is of labels alike, on ordered
scales of the codes' products.

A run is said to follow one annotator where that is shown, where it gives that one's labels at least .1 more often than
the others', and where no other annotator has half as much in common with it (p of .05, one by one): in a camp nobody
is the source. A copy of somebody who is nearly always right cannot be told from a run that is.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import t

from comparison.statistics.agreement.said import numbered
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.resampling.holm import held_down
from comparison.statistics.resampling.left_out import variance
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

LEVEL = 0.05
# On fewer items of one annotator nothing is asked; of what lies nearer together nothing is said.
FEWEST, WELL_ABOVE = 30, 0.1


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
    places = np.eye(counts.shape[1]) if not ordered else np.arange(counts.shape[1], dtype=np.float64)[:, None]
    pairs = [
        pair
        for rater in np.unique(raters)
        for run, codes in decided.items()
        if (
            pair := _pair(
                run, int(rater), codes, rows[raters == rater], labels[raters == rater], counts, places, sample
            )
        )
    ]
    held = held_down({(pair.found.run, pair.found.rater): pair.p for pair in pairs})
    return tuple(
        pair.found
        for pair in pairs
        if held[pair.found.run, pair.found.rater] <= LEVEL
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
    parts = _parts(places[said], places[labels], others @ places, others @ (places**2).sum(axis=1), many)
    if sample.clusters is not None:
        parts = cluster_sums(parts, numbered(sample.clusters[rows])[1])
    sums = parts.sum(axis=0)
    [(tetrad, excess)], left_out = _tetrads(sums[None]), _tetrads(sums - parts)[:, 0]
    spread = variance(left_out)
    if not spread > 0:
        return None
    alike, shared = float((said == labels).mean()), float((others[np.arange(len(rows)), said] / many).mean())
    found = Follows(run, rater, alike, shared, len(rows))
    return _Pair(found, float(t.sf(tetrad / spread**0.5, len(parts) - 1)), float(excess))


def _parts(run: Floats, own: Floats, sums: Floats, squares: Floats, many: Ints) -> Floats:
    """What each item adds: itself, four products, and the places of run, annotator and others."""
    mean = sums / many[:, None]
    among = ((sums**2).sum(axis=1) - squares) / (many * (many - 1))
    products = [(run * own).sum(axis=1), (run * mean).sum(axis=1), (own * mean).sum(axis=1), among]
    return np.column_stack([np.ones(len(many)), *products, run, own, mean])


def _tetrads(sums: Floats) -> Floats:
    """The tetrad difference, and how far the two agree beyond what it would be without it, shape (m, 2)."""
    means = sums[:, 1:] / sums[:, :1]
    run, own, others = np.split(means[:, 4:], 3, axis=1)
    with_own = means[:, 0] - (run * own).sum(axis=1)
    with_others = means[:, 1] - (run * others).sum(axis=1)
    own_others = means[:, 2] - (own * others).sum(axis=1)
    among = means[:, 3] - (others**2).sum(axis=1)
    tetrad = with_own * among - with_others * own_others
    return np.column_stack([tetrad, tetrad / np.maximum(among, 1e-9)])
