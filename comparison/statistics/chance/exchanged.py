"""Whether what is right goes with a value, where items hang together: what groups have is exchanged between them.

Of groups that each have one value, values are dealt out anew over whole groups (Fisher 1935; Good 2005, chapter 3, on
units of randomization). Where values differ inside every group, as in pairs made of one sentence, right and wrong are
dealt out inside each. Of some groups of either kind, what each has is dealt out over the groups of its size, in any
order inside: single items are exchanged with single items, pairs with pairs. p counts what was seen among the deals,
(k + 1) / (m + 1) (Phipson and Smyth 2010).
"""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.bootstrap import SEED

DEALS = 1999
# Of more items fewer deals, so that a worker is done in seconds.
MANY, DEALS_OF_MANY = 20_000, 499
WHOLE = "compared with whole groups of items changing their values by chance"
INSIDE = "compared with right and wrong changing places by chance within each group of items"
ALIKE = "compared with groups of as many items changing places by chance, and the items within each group"


def least_p(items: int) -> float:
    """The smallest p that the deals of so many items can give.

    >>> least_p(200), least_p(30_000)
    (0.0005, 0.002)
    """
    return 1 / (1 + _deals(items))


def _deals(items: int) -> int:
    return DEALS if items <= MANY else DEALS_OF_MANY


def exchanged(
    codes: Ints, right: NDArray[np.bool_], clusters: Ints, *, statistic: Callable[[Floats], Floats]
) -> tuple[float, str]:
    """p, and how groups were exchanged. `statistic` takes tables of shape (deals, values, 2): right, wrong.

    Six groups of four, three of each value, right wholly or not at all; of twenty ways to deal them two are so:

    >>> codes, right = np.repeat([0, 1], 12), np.repeat([True, False], 12)
    >>> p, how = exchanged(codes, right, np.arange(24) // 4, statistic=lambda tables: np.abs(tables[:, 0, 0] - 6))
    >>> round(p, 2), how
    (0.1, 'compared with whole groups of items changing their values by chance')
    """
    _, groups = np.unique(clusters, return_inverse=True)
    size, values = int(groups.max()) + 1, int(codes.max()) + 1
    rng = np.random.default_rng((SEED, len(codes), size))
    deals = _deals(len(codes))
    own = np.zeros((size, values))
    np.add.at(own, (groups, codes), 1)
    seen = statistic(_table(codes, right, values)[None])[0]
    is_pure = (own > 0).sum(axis=1) == 1
    if is_pure.all():
        tables, how = _of_whole(own.argmax(axis=1), groups, right, values, deals, rng), WHOLE
    elif is_pure.any():
        tables, how = _alike(codes, right, groups, values, deals, rng), ALIKE
    else:
        tables, how = _inside(codes, right, groups, values, deals, rng), INSIDE
    drawn = statistic(np.concatenate(tables))
    return float((1 + (drawn >= seen - 1e-9).sum()) / (1 + deals)), how


def _table(codes: Ints, right: NDArray[np.bool_], values: int) -> Floats:
    table = np.bincount(codes * 2 + ~right, minlength=2 * values)
    return np.asarray(table.reshape(values, 2), dtype=np.float64)


def _of_whole(
    of_group: Ints, groups: Ints, right: NDArray[np.bool_], values: int, deals: int, rng: Generator
) -> "list[Floats]":
    """Tables after each deal of the groups' values, shape (1, values, 2)."""
    sides = np.column_stack([np.bincount(groups, weights=right), np.bincount(groups, weights=~right)])
    found = []
    for _ in range(deals):
        dealt = rng.permutation(of_group)
        table = np.column_stack([np.bincount(dealt, weights=sides[:, side], minlength=values) for side in (0, 1)])
        found.append(table[None].astype(np.float64))
    return found


def _inside(
    codes: Ints, right: NDArray[np.bool_], groups: Ints, values: int, deals: int, rng: Generator
) -> "list[Floats]":
    """Tables after each deal of right and wrong inside every group, shape (1, values, 2).

    How many rights fall on a value of a group is drawn without replacement, one value of every group after another.
    """
    cells, items = np.unique(groups * values + codes, return_counts=True)
    group, code = np.divmod(cells, values)
    place = np.arange(len(cells)) - np.searchsorted(group, group)
    turns = [np.flatnonzero(place == turn) for turn in range(int(place.max()) + 1)]
    rights, sizes = np.bincount(groups, weights=right).astype(np.int64), np.bincount(groups)
    of_value = np.bincount(codes, minlength=values)
    found = []
    for _ in range(deals):
        still_right, still = rights.copy(), sizes.copy()
        dealt = np.zeros(len(cells), dtype=np.int64)
        for turn in turns:
            whose = group[turn]
            still[whose] -= items[turn]
            dealt[turn] = rng.hypergeometric(items[turn], still[whose], still_right[whose])
            still_right[whose] -= dealt[turn]
        hits = np.bincount(code, weights=dealt, minlength=values)
        found.append(np.column_stack([hits, of_value - hits])[None])
    return found


def _alike(
    codes: Ints, right: NDArray[np.bool_], groups: Ints, values: int, deals: int, rng: Generator
) -> "list[Floats]":
    """Tables after each deal over groups of one size, and inside each, shape (1, values, 2)."""
    sizes = np.bincount(groups)[groups]
    order = np.lexsort((groups, sizes))
    ordered, sorted_codes, sorted_right = sizes[order], codes[order], right[order]
    # A row a group.
    blocks = [sorted_codes[ordered == size].reshape(-1, size) for size in np.unique(ordered)]
    found = []
    for _ in range(deals):
        dealt = [rng.permuted(block[rng.permutation(len(block))], axis=1).ravel() for block in blocks]
        found.append(_table(np.concatenate(dealt), sorted_right, values)[None])
    return found
