"""Which labels the items with each value of an attribute have (Emami et al. 2021, Table 4 and Figure 4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.counts import MISSING, Floats, Ints, values_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import resample, with_interval
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.wilson import where_all_agree
from corpus.errors import counted

NOT_LABELED = "no item with this value has a label"


@dataclass(frozen=True, slots=True)
class LabelShare:
    """How many labels are this one, and of how many."""

    count: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class ValueShares:
    """The labels of the items with one value: one share for each label of the scale, in its order.

    `labels` are what shares are of; `without` counts the items that have none.
    """

    value: str
    items: int
    labels: int
    without: int
    shares: tuple[LabelShare, ...]


def label_shares(
    attribute: Iterable[str],
    counts: Ints,
    *,
    order: Sequence[str] = (),
    most: int | None = None,
    sample: Sample = ITEMS,
) -> tuple[ValueShares, ...]:
    """One line a value, the largest first or in the order given; `counts` (items, labels of the scale).

    Where no item has two labels a share has Wilson's interval; of several labels an item, items are drawn anew, since
    the labels of one item hang together.

    >>> found = label_shares(["a", "a", "b"], np.array([[1, 0], [0, 1], [0, 1]]))
    >>> [(one.value, one.labels, [share.count for share in one.shares]) for one in found]
    [('a', 2, [1, 1]), ('b', 1, [0, 1])]
    """
    column, values = values_of(attribute, order=order, most=most)
    return tuple(_of_value(value, counts[column == value], sample.where(column == value)) for value in values)


def one_label(codes: Ints, *, values: int) -> Ints:
    """Codes as counts: one label an item, none where it is MISSING.

    >>> one_label(np.array([1, MISSING]), values=2).tolist()
    [[0, 1], [0, 0]]
    """
    return np.asarray((codes[:, None] == np.arange(values)) & (codes[:, None] != MISSING), dtype=np.int64)


def _of_value(value: str, counts: Ints, sample: Sample) -> ValueShares:
    labeled = counts.sum(axis=1)
    sums, several = counts.sum(axis=0), bool((labeled > 1).any())
    found = _drawn(counts, sample) if several else _wilson(counts, labeled > 0, sample)
    return ValueShares(
        value=value,
        items=len(counts),
        labels=int(labeled.sum()),
        without=int((labeled == 0).sum()),
        shares=tuple(LabelShare(int(count), share) for count, share in zip(sums.tolist(), found, strict=True)),
    )


def _wilson(counts: Ints, labeled: "np.ndarray[tuple[int], np.dtype[np.bool_]]", sample: Sample) -> list[Estimate]:
    return [
        share_of(counts[:, label] > 0, labeled, reason=NOT_LABELED, sample=sample) for label in range(counts.shape[1])
    ]


def _drawn(counts: Ints, sample: Sample) -> list[Estimate]:
    """All labels' shares of the same draws of items."""
    labels, total = counts.shape[1], int(counts.sum())
    contributions = counts.astype(np.float64)
    units = int(sample.units(contributions)[1].sum())
    sums: Floats = resample(contributions, sample=sample)
    of_all = sums.sum(axis=1)
    shares = np.divide(sums, of_all[:, None], out=np.full_like(sums, np.nan), where=of_all[:, None] > 0)
    grouped = sample.clusters is not None
    note = f"{counted(total, 'label')} of {counted(int((counts.sum(axis=1) > 0).sum()), 'item')}"
    return [
        _in_labels(
            where_all_agree(
                with_interval(
                    float(counts[:, label].sum()) / total,
                    shares[:, label],
                    items=units,
                    n=total,
                    note=note,
                    expanded=grouped,
                ),
                units=units,
                called="groups" if grouped else "items",
            )
        )
        for label in range(labels)
    ]


def _in_labels(found: Estimate) -> Estimate:
    return Estimate(
        found.value, found.low, found.high, n=found.n, no_interval=found.no_interval, note=found.note, unit="labels"
    )
