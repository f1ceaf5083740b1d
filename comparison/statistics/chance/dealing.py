"""Whether labels go with the truth: the same labels dealt out over the items at random (Fisher 1935; Pitman 1937).

How common each label is stays as it is, on both sides, so that no shape is supposed: neither one label that is nearly
all there is nor two poles make noise look as if it knew something. Deals are drawn as tables with those margins, cell
by cell (hypergeometric), so that 200,000 items cost what 200 cost; p counts what was seen among them, (k + 1) / (m + 1)
(Phipson and Smyth 2010). Of two labels nothing is drawn: it is Fisher's exact test.

Where items hang together, whole groups change places, with as many items each: groups of about one size (up to twice
the smallest, whose number of items all of them give) are dealt to one another. Of many groups up to 50 change places
at a time as hands of several groups, which is a part of all deals and so as exact. The larger of both p is taken.
"""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import hypergeom

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import Sample

DEALS, DEALS_OF_GROUPS = 9999, 1999
HANDS = 50


def dealt(gains: Ints, said: Ints, true: Ints, sample: Sample) -> float:
    """The probability of as much as these labels gain, or more; `gains[a, b]`: what saying a of b adds.

    All right, but with one label for everything, which in any order is as right:

    >>> dealt(np.eye(3, dtype=int), np.zeros(9, dtype=int), np.zeros(9, dtype=int), Sample())
    1.0
    """
    size = len(gains)
    table = np.bincount(said * size + true, weights=sample.weights, minlength=size * size)
    table = table.astype(np.int64).reshape(size, size)
    rng = np.random.default_rng((SEED, int(table.sum())))
    if size == 2:
        p = _of_two(gains, table)
    else:
        drawn = tables_like(table.sum(axis=1), table.sum(axis=0), rng) @ gains.ravel()
        p = _share(drawn >= (table * gains).sum())
    return p if sample.clusters is None else max(p, _of_groups(gains, said, true, sample.clusters, rng))


def _of_two(gains: Ints, table: Ints) -> float:
    """One cell of four says all: as many in it, or more where that gains, or fewer where that does."""
    side = int(gains[0, 0] + gains[1, 1] - gains[0, 1] - gains[1, 0])
    if not side:
        return 1.0
    cell, other = (table[0, 0], table[0, 1]) if side > 0 else (table[0, 1], table[0, 0])
    return float(hypergeom.sf(cell - 1, table.sum(), table[:, 0 if side > 0 else 1].sum(), cell + other))


def _share(as_far: NDArray[np.bool_]) -> float:
    return float((1 + as_far.sum()) / (1 + len(as_far)))


def tables_like(rows: Ints, columns: Ints, rng: Generator) -> Ints:
    """Tables with these margins, as dealing gives them, shape (DEALS, rows * columns)."""
    tables = np.zeros((DEALS, len(rows), len(columns)), dtype=np.int64)
    left = np.tile(columns, (DEALS, 1))
    for row, size in enumerate(rows[:-1].tolist()):
        needed, others = np.full(DEALS, size), left.sum(axis=1)
        for column in range(len(columns)):
            others = others - left[:, column]
            tables[:, row, column] = rng.hypergeometric(left[:, column], others, needed)
            needed = needed - tables[:, row, column]
        left = left - tables[:, row]
    tables[:, -1] = left
    return tables.reshape(DEALS, -1)


def _of_groups(gains: Ints, said: Ints, true: Ints, clusters: Ints, rng: Generator) -> float:
    _, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    order, begins = np.argsort(codes, kind="stable"), np.cumsum(sizes) - sizes
    seen, drawn = 0.0, np.zeros(DEALS_OF_GROUPS)
    alike = np.floor(np.log2(sizes))
    for size in np.unique(alike):
        groups = np.flatnonzero(alike == size)
        rows = order[begins[groups][:, None] + np.arange(sizes[groups].min())]
        if len(groups) > 1:
            pairs = _hands(gains, said[rows], true[rows])
            deals = rng.permuted(np.tile(np.arange(len(pairs)), (DEALS_OF_GROUPS, 1)), axis=1)
            seen += float(np.trace(pairs))
            drawn += pairs[deals, np.arange(len(pairs))].sum(axis=1)
    return _share(drawn >= seen - 1e-9)


def _hands(gains: Ints, said: Ints, true: Ints) -> Floats:
    """What each hand of groups would gain in the place of each other; labels have shape (groups, items of each)."""
    together = -(-len(said) // HANDS)
    hands = len(said) // together
    mine, theirs = (of[: hands * together].reshape(hands, -1) for of in (said, true))
    given = np.eye(len(gains))[theirs].reshape(hands, -1)
    return np.asarray(gains[mine].reshape(hands, -1).astype(np.float64) @ given.T)
