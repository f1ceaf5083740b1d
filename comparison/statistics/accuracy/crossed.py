"""True label by given label, item by item: the table that balanced accuracy, macro F1, MCC, weighted κ and the mean
distance all rest on.

A draw of items is a draw of such tables, added up, so that one resampling serves every measure. Where nothing ties
items together, items in the same cell are alike: a million of them are as many rows as the table has cells.

Balanced accuracy: the mean over labels of the share that is right among the items truly so labeled.

Brodersen et al. 2010 ("The balanced accuracy and its posterior distribution", ICPR, equation 2); for more than two
labels the macro-averaged recall, as in scikit-learn. A rater that gives one label always has 1 / labels, however
skewed the truth is. Labels that are true of no item have no share and are in no mean.

The mean distance in degrees between given and true labels, on an ordered scale.

The mean absolute error of ordinal classification (Gaudette and Japkowicz 2009; Baccianella, Esuli and Sebastiani 2009,
equation 1). It takes degrees as equally far apart; 0 is always right.

Weighted κ of a rater with what is true, on an ordered scale: being two degrees off counts more than one.

Cohen 1968 (Psychological Bulletin 70: 213–220, equation 8): one less the observed over the expected disagreement,
where two labels i and j disagree by |i - j| (linear) or its square (quadratic). Quadratic κ is the intraclass
correlation of the degrees but for terms in 1/n (Fleiss and Cohen 1973).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from comparison.statistics.accuracy.ceiling import NO_OTHERS, NO_REFERENCE
from comparison.statistics.accuracy.hits import NOTHING_SHARED
from comparison.statistics.aggregation import of_the_others
from comparison.statistics.agreement.coefficient import weight_matrix
from comparison.statistics.agreement.cohen import kappa_of_tables
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample, table_cells
from corpus.errors import counted


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


def balanced_accuracy(found: Crossed) -> Estimate:
    """From 0 to 1, with an interval by drawing items anew.

    Nine of ten items are of the first label, and that is given always:

    >>> balanced_accuracy(crossed(np.zeros(10, dtype=int), np.arange(10) // 9, values=2, called="labels")).value
    0.5
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(_recalls, undefined="no item has a true label")


def _recalls(tables: Floats) -> Floats:
    """Tables (draws, values, values), rows true, to (draws,)."""
    true = tables.sum(axis=2)
    right = np.diagonal(tables, axis1=1, axis2=2)
    recalls = np.divide(right, true, out=np.zeros_like(true), where=true > 0)
    present = (true > 0).sum(axis=1)
    shares: Floats = np.divide(recalls.sum(axis=1), present, out=np.full(len(tables), np.nan), where=present > 0)
    return shares


Weights = Literal["linear", "quadratic"]


def weighted_kappa(found: Crossed, *, weights: Weights) -> Estimate:
    """From -1 to 1, 0 at chance, with an interval by drawing items anew.

    One of four items is one degree off; of three degrees, that is half the worst, or a quarter of its square:

    >>> table = crossed(np.array([0, 1, 2, 1]), np.array([0, 1, 2, 2]), values=3, called="labels")
    >>> [round(weighted_kappa(table, weights=weights).value, 3) for weights in ("linear", "quadratic")]
    [0.714, 0.8]
    """
    if found.why_undefined:
        return found.none(found.why_undefined)
    return found.measured(
        lambda tables: kappa_of_tables(tables, weight_matrix(weights, values=tables.shape[1])),
        undefined="all given and true labels are the same",
    )


def mean_distance(found: Crossed) -> Estimate:
    """In degrees, with an interval by drawing items anew. It is defined where all that is true is one label, too.

    >>> mean_distance(crossed(np.array([0, 2, 1]), np.array([0, 0, 0]), values=3, called="labels")).value
    1.0
    """
    if not found.n:
        return found.none(found.nothing)
    return found.measured(of_tables, undefined="no item has both labels")


def of_tables(tables: Floats) -> Floats:
    """Tables (draws, values, values) to (draws,)."""
    degrees = np.arange(tables.shape[1])
    apart = np.abs(degrees[:, None] - degrees)
    total = tables.sum(axis=(1, 2))
    means: Floats = np.divide(
        (tables * apart).sum(axis=(1, 2)), total, out=np.full(len(tables), np.nan), where=total > 0
    )
    return means
