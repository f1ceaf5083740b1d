"""Agreement of annotators with themselves: the same person, the same item, another time (intra-rater agreement)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.agreement.chance import ratio
from comparison.statistics.agreement.coefficient import ONE_LABEL
from comparison.statistics.agreement.cohen import kappa_of_tables
from comparison.statistics.agreement.weights import Weighting, weight_matrix
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

NO_REPEATS = "nobody has labeled an item twice"
# From this many annotators on, they are what is drawn anew: what one repeats hangs together.
ENOUGH_RATERS = 10


@dataclass(frozen=True, slots=True)
class Repeats:
    """How often a label was given again, and how far beyond chance; both of repeats."""

    percent: Estimate
    kappa: Estimate


def repeated(items: Ints, raters: Ints, labels: Ints, *, values: int, weighting: Weighting = "identity") -> Repeats:
    """Labels one by one in the order of time; each is held against the same rater's one before on the same item.

    κ is Cohen's of all earlier against all later labels, so that it tells whether people keep to their labels and not
    whether their shares of labels differ from one another's. Whole annotators are drawn for the intervals where there
    are ENOUGH_RATERS who repeat, repeats one by one otherwise.

    Two people see three items twice; one of six labels changes:

    >>> items, raters = np.tile([0, 1, 2], 4), np.repeat([0, 1, 0, 1], 3)
    >>> found = repeated(items, raters, np.array([0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]), values=2)
    >>> round(found.percent.value, 3), round(found.kappa.value, 3), found.percent.n, found.percent.unit
    (0.833, 0.667, 6, 'repeats')
    """
    there = (items != MISSING) & (labels != MISSING)
    items, raters, labels = items[there], raters[there], labels[there]
    order = np.lexsort((np.arange(len(items)), items, raters))
    item, rater, label = items[order], raters[order], labels[order]
    again = np.flatnonzero((item[1:] == item[:-1]) & (rater[1:] == rater[:-1]))
    if not len(again):
        return Repeats(Estimate.none(NO_REPEATS, unit="repeats"), Estimate.none(NO_REPEATS, unit="repeats"))
    cells = np.eye(values * values)[label[again] * values + label[again + 1]]
    people = len(np.unique(rater[again]))
    sample = Sample(clusters=rater[again]) if people >= ENOUGH_RATERS else ITEMS
    note = f"{people:,} annotator{'s' if people != 1 else ''}"
    weights = weight_matrix(weighting, values=values)

    def same(sums: Floats) -> Floats:
        return ratio(sums @ np.eye(values).ravel(), sums.sum(axis=1))

    def kappa(sums: Floats) -> Floats:
        return kappa_of_tables(sums.reshape(len(sums), values, values), weights)

    return Repeats(*(_of_cells(cells, statistic, note=note, sample=sample) for statistic in (same, kappa)))


def _of_cells(cells: Floats, statistic: Callable[[Floats], Floats], *, note: str, sample: Sample) -> Estimate:
    value = float(statistic(cells.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=len(cells), unit="repeats")
    return replace(estimate(value, cells, statistic, n=len(cells), note=note, sample=sample), unit="repeats")
