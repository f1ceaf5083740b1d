"""True label by given label, item by item: the table that balanced accuracy, macro F1, MCC, weighted κ and the mean
distance all rest on.

A draw of items is a draw of such tables, added up, so that one resampling serves every measure. Where nothing ties
items together, items in the same cell are alike: a million of them are as many rows as the table has cells.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.accuracy.ceiling import NO_OTHERS, NO_REFERENCE
from comparison.statistics.accuracy.hits import NOTHING_SHARED
from comparison.statistics.aggregation.majority import of_the_others
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, counted
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample, table_cells


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """`cells` (rows, values * values): what an item of each row adds to the table, true label * values + given label.

    `n` is what the figures are over, in `unit`s. `called` says what is taken as true.
    """

    cells: Floats
    values: int
    sample: Sample
    n: int
    called: str
    unit: str = "items"
    note: str = ""
    nothing: str = NOTHING_SHARED

    @property
    def table(self) -> Floats:
        """All items, shape (values, values); rows are true labels."""
        return self.sample.sums(self.cells).astype(np.float64).reshape(self.values, self.values)

    @property
    def why_undefined(self) -> str:
        """Why no measure beyond plain accuracy says anything; empty where they do."""
        if not self.n:
            return self.nothing
        true = int((self.table.sum(axis=1) > 0).sum())
        return f"all {self.called} are one label" if true == 1 else ""

    def none(self, reason: str) -> Estimate:
        return Estimate.none(reason, n=self.n, unit=self.unit)

    def measured(self, statistic: Callable[[Floats], Floats], *, undefined: str, note: str = "") -> Estimate:
        """A statistic of tables (draws, values, values) with its interval; where it is NaN, `undefined` says why."""
        value = float(statistic(self.table[None])[0])
        if not np.isfinite(value):
            return self.none(undefined)

        def of_sums(sums: Floats) -> Floats:
            return statistic(sums.reshape(len(sums), self.values, self.values))

        notes = "; ".join(part for part in (self.note, note) if part)
        found = estimate(value, self.cells, of_sums, n=self.n, note=notes, sample=self.sample)
        return replace(found, unit=self.unit)


def crossed(decided: Ints, truth: Ints, *, values: int, called: str, sample: Sample = ITEMS) -> Crossed:
    """A rater's codes and the true ones, shape (items,); items that miss one are left out.

    >>> crossed(np.array([0, 1, 1, MISSING]), np.array([0, 0, 1, 1]), values=2, called="labels").table
    array([[1., 1.],
           [0., 1.]])
    """
    both = (decided != MISSING) & (truth != MISSING)
    place = truth[both] * values + decided[both]
    cells, own = table_cells(place, size=values * values, sample=sample.where(both))
    return Crossed(cells, values, own, sample.size(both), called)


def one_person(counts: Ints, *, sample: Sample = ITEMS) -> Crossed:
    """Each of people's labels, from counts (items, values), held against the majority of the others of its item.

    Of the second item, only the one who dissents is held against two who agree:

    >>> one_person(np.array([[3, 0], [2, 1]])).table
    array([[3., 1.],
           [0., 0.]])
    """
    values = counts.shape[1]
    cells = np.zeros((len(counts), values, values))
    rows = np.arange(len(counts))
    for value, given, agreed in of_the_others(counts):
        held = agreed != MISSING
        cells[rows[held], agreed[held], value] += given[held]
    return _of_labels(cells, sample, called="the others’ majorities", nothing=NO_OTHERS)


def people_beside_truth(counts: Ints, truth: Ints, *, called: str = "references", sample: Sample = ITEMS) -> Crossed:
    """Each of people's labels held against what is true of its item.

    >>> people_beside_truth(np.array([[3, 0], [2, 1]]), np.array([0, 1])).table
    array([[3., 0.],
           [2., 1.]])
    """
    known = np.flatnonzero(truth != MISSING)
    cells = np.zeros((len(counts), counts.shape[1], counts.shape[1]))
    cells[known, truth[known]] = counts[known]
    return _of_labels(cells, sample, called=called, nothing=NO_REFERENCE)


def _of_labels(cells: Floats, sample: Sample, *, called: str, nothing: str) -> Crossed:
    """Labels of one item are drawn together: they are no items of their own."""
    values = cells.shape[1]
    flat = cells.reshape(len(cells), values * values)
    used = np.asarray(flat.any(axis=1))
    kept = sample.where(used)
    labels = int(kept.total(flat[used].sum(axis=1)))
    note = f"labels on {counted(sample.size(used), 'item')}"
    rows = flat[used]
    if kept.clusters is None:
        # Once for all measures, each of which would do the same.
        rows, times = kept.units(rows)
        kept = Sample(weights=times)
    return Crossed(rows, values, kept, labels, called, unit="labels", note=note, nothing=nothing)
