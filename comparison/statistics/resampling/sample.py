"""What is drawn anew when a figure is resampled: items, patterns of items with a weight, or whole clusters.

What items are worth that hang together: the design effect of a share over clusters (Kish 1965, section 8.2).

Items made from one sentence, or of one paradigm, are right and wrong together, and an interval that takes each for
itself is too narrow. The effect is the variance of the share over clusters (linearized, as of a ratio: Cochran 1977,
equation 11.12 with all clusters of one stratum) over that of as many items drawn one by one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import rounded
from corpus.errors import counted


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """How the rows of an array stand for items.

    `weights`: how many items each row is (a *pattern*: items that are alike in all that a figure rests on); None
    where each is one. `clusters`: the code of each row's cluster, as of items made from one sentence; None where each
    item stands for itself. Clusters are of items one by one: ValueError for both.
    """

    weights: Ints | None = None
    clusters: Ints | None = None

    def __post_init__(self) -> None:
        if self.weights is not None and self.clusters is not None:
            raise ValueError("A pattern has a weight or its items have clusters, not both.")

    def where(self, mask: NDArray[np.bool_]) -> Self:
        """The sample with only the rows of the mask."""
        return type(self)(
            weights=None if self.weights is None else self.weights[mask],
            clusters=None if self.clusters is None else self.clusters[mask],
        )

    def size(self, chosen: NDArray[np.bool_]) -> int:
        """How many items the rows of the mask are."""
        return int(chosen.sum()) if self.weights is None else int(self.weights[chosen].sum())

    def total(self, column: NDArray[np.generic]) -> float:
        """The sum over all items of what is given for each row.

        >>> Sample(weights=np.array([2, 5])).total(np.array([1, 3]))
        17.0
        """
        values = np.asarray(column, dtype=np.float64)
        return float(values.sum() if self.weights is None else values @ self.weights)

    def sums(self, contributions: Floats) -> Floats:
        """The sum of each column over all items, shape (m,)."""
        return np.asarray(contributions.sum(axis=0) if self.weights is None else self.weights @ contributions)

    def units(self, contributions: Floats) -> tuple[Floats, Ints]:
        """What is drawn, and how often each of it is there: equal rows once, in the order of their values.

        So a figure's interval is the same whether its items come one by one, in any order, or as patterns.

        >>> rows, counts = Sample().units(np.array([[1.0], [0.0], [1.0]]))
        >>> rows.tolist(), counts.tolist()
        ([[0.0], [1.0]], [1, 2])
        >>> rows, counts = Sample(clusters=np.array([7, 7, 9])).units(np.array([[1.0], [0.0], [1.0]]))
        >>> rows.tolist(), counts.tolist()
        ([[1.0]], [2])
        """
        rows, each = contributions, self.weights
        if self.clusters is not None:
            rows = cluster_sums(contributions, self.clusters)
        if not len(rows):
            return rows, np.zeros(0, dtype=np.int64)
        distinct, place = np.unique(rows, axis=0, return_inverse=True)
        counts = np.bincount(place.ravel(), weights=each, minlength=len(distinct)).astype(np.int64)
        there = counts > 0
        return distinct[there], counts[there]


ITEMS = Sample()


def grouped(groups: Iterable[str]) -> Sample:
    """Items that share a name are one cluster; an empty name is none. Without any shared name: items one by one.

    >>> grouped(["a", "", "a", ""]).clusters.tolist(), grouped(["a", "b", ""]).clusters
    ([0, 1, 0, 3], None)
    """
    first: dict[str, int] = {}
    codes = [first.setdefault(name, place) if name else place for place, name in enumerate(groups)]
    shared = len(set(codes)) < len(codes)
    return Sample(clusters=np.array(codes, dtype=np.int64)) if shared else ITEMS


def together(sample: Sample, names: Sequence[str]) -> Sample:
    """Clusters in which items that share a name are drawn together as well; an empty name is none.

    >>> clusters = np.array([0, 0, 1, 2])
    >>> together(Sample(clusters=clusters), ["", "a", "a", ""]).clusters.tolist()
    [0, 0, 0, 1]
    """
    named = grouped(names)
    if sample.clusters is None or named.clusters is None:
        return named if sample.clusters is None else sample
    _, ours = np.unique(sample.clusters, return_inverse=True)
    _, theirs = np.unique(named.clusters, return_inverse=True)
    size = int(ours.max(initial=-1)) + 1
    links = sp.sparse.coo_array((np.ones(len(ours)), (ours, size + theirs)), shape=(size + len(theirs),) * 2)
    _, parts = sp.sparse.csgraph.connected_components(links, directed=False)
    _, clusters = np.unique(parts[ours], return_inverse=True)
    return Sample(clusters=clusters)


def table_cells(codes: Ints, *, size: int, sample: Sample) -> tuple[Floats, Sample]:
    """Rows to draw from for a table of `size` cells of which each item is in one: `codes`, shape (rows,).

    Without clusters the cells themselves, with how many items are in each, whatever the number of items.

    >>> cells, found = table_cells(np.array([0, 2, 2]), size=3, sample=ITEMS)
    >>> cells.shape, found.weights.tolist()
    ((3, 3), [1, 0, 2])
    """
    if sample.clusters is not None:
        return np.eye(size)[codes], sample
    counted = np.bincount(codes, weights=sample.weights, minlength=size).astype(np.int64)
    return np.eye(size), Sample(weights=counted)


def cluster_sums(contributions: Floats, clusters: Ints) -> Floats:
    """The sum of each cluster's rows, shape (clusters, m)."""
    _, codes = np.unique(clusters, return_inverse=True)
    sums = np.zeros((int(codes.max(initial=-1)) + 1, contributions.shape[1]))
    for place, column in enumerate(contributions.T):
        sums[:, place] = np.bincount(codes, weights=column)
    return sums


LEVEL = 0.05
# How many standard errors an interval of that level reaches to either side.
Z = 1.959963984540054
ONE_GROUP = "all items are in one group"


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """n over `value` is what the items are worth. `alpha`: the level that makes up for few `clusters`.

    `clusters` is 0 where each item stands for itself; `undefined` says why there is no effect.
    """

    value: float = 1.0
    clusters: int = 0
    alpha: float = LEVEL
    undefined: str = ""

    @property
    def reach(self) -> float:
        """How many standard errors an interval reaches to either side."""
        return Z if self.alpha == LEVEL else float(tails.z_of(self.alpha / 2))

    @property
    def words(self) -> str:
        if not self.clusters:
            return ""
        return f"items in {counted(self.clusters, 'group')}, design effect {rounded(self.value, decimals=1)}"


NO_EFFECT = DesignEffect()


def design_effect(values: Floats, clusters: Ints) -> DesignEffect:
    """The effect on the mean of `values`, one an item (a share, where they are 0 or 1).

    At least 1, as chance may put it lower (Korn and Graubard 1998). Where all values are the same nothing can be seen,
    and items of a cluster count as one.

    Two clusters of two that are right and wrong together:

    >>> found = design_effect(np.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1, 2, 2]))
    >>> round(found.value, 6), found.clusters
    (3.0, 3)
    """
    n = len(values)
    share = values.mean()
    sums = cluster_sums(np.column_stack([values - share, np.ones(n)]), clusters)
    groups = len(sums)
    if groups == n:
        return NO_EFFECT
    if groups < 2:
        return DesignEffect(clusters=groups, undefined=ONE_GROUP)
    alone = float(values.var())
    if alone > 0:
        value = max(1.0, float(groups / (groups - 1) * (sums[:, 0] ** 2).sum() / n / alone))
    else:
        value = float((sums[:, 1] ** 2).sum() / n)
    alpha = float(2 * tails.of_normal(tails.t_of(LEVEL / 2, groups - 1)))
    return DesignEffect(value, groups, alpha)


def worth_of_groups(clusters: Ints) -> float:
    """How many groups of one size say as much as these: (Σn)² / Σn² (Kish 1965), so that one large group is no crowd.

    >>> worth_of_groups(np.array([0, 0, 1, 1])), round(worth_of_groups(np.array([0, 0, 0, 0, 1, 2])), 1)
    (2.0, 2.0)
    """
    sizes = np.unique(clusters, return_counts=True)[1].astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes**2).sum())
