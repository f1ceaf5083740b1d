"""Cohen's κ of two raters who labeled the same items, plain or weighted.

Agreement of annotators with themselves: the same person, the same item, another time (intra-rater agreement).

Conger's κ (1980): Cohen's κ for several annotators, each of whom guesses with shares of labels of their own.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.agreement.coded_labels import CodedLabels, blocks, read_said, runs
from comparison.statistics.agreement.coefficient import (
    NO_PAIRS,
    ONE_LABEL,
    Weighting,
    agreeing,
    beyond_chance,
    lone_note,
    ratio,
    weight_matrix,
)
from comparison.statistics.counts import MISSING, Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.left_out import variance, with_t
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums, table_cells
from comparison.statistics.wilson import where_all_agree


def cohen(
    one: Ints, other: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    """κ of two columns of codes (Cohen 1960; weighted: Cohen 1968, Psychological Bulletin 70: 213–220).

    Items that one of the two left out are left out. Chance is that of the two raters' own shares of the labels.

    >>> one, other = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 2, 1])
    >>> [round(cohen(one, other, values=3, weighting=how).value, 3) for how in ("identity", "linear", "quadratic")]
    [0.444, 0.545, 0.667]
    """
    weights = weight_matrix(weighting, values=values)
    return of_two(one, other, lambda tables: kappa_of_tables(tables, weights), values=values, sample=sample)


def kappa_of_tables(tables: Floats, weights: Floats) -> Floats:
    """κ of each table (…, values, values): one rater's labels down, the other's across. NaN where undefined.

    >>> kappa_of_tables(np.array([[[20.0, 5.0], [10.0, 15.0]]]), np.eye(2)).round(3).tolist()
    [0.4]
    """
    totals = tables.sum(axis=(-2, -1))
    observed = (tables * weights).sum(axis=(-2, -1)) / totals
    down, across = tables.sum(axis=-1), tables.sum(axis=-2)
    return beyond_chance(observed, ((down @ weights) * across).sum(axis=-1) / totals**2)


def of_two(
    one: Ints, other: Ints, of_tables: Callable[[Floats], Floats], *, values: int, sample: Sample = ITEMS
) -> Estimate:
    """What `of_tables` makes of the table of two raters' codes, with an interval by drawing items anew.

    >>> found = of_two(np.array([0, 1]), np.array([0, MISSING]), lambda tables: tables.sum(axis=(1, 2)), values=2)
    >>> found.value, found.n
    (1.0, 1)
    """
    both = (one != MISSING) & (other != MISSING)
    n = sample.size(both)
    if not n:
        return Estimate.none(NO_PAIRS)
    codes = one[both] * values + other[both]
    cells, own = table_cells(codes, size=values * values, sample=sample.where(both))

    def of_sums(sums: Floats) -> Floats:
        return of_tables(sums.reshape(len(sums), values, values))

    value = float(of_sums(own.sums(cells)[None])[0])
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=n)
    return estimate(value, cells, of_sums, n=n, sample=own)


NO_REPEATS = "no one has labeled an item twice"
# From this many annotators on, they are what is drawn anew: what one repeats hangs together.
ENOUGH_RATERS = 10


@dataclass(frozen=True, slots=True)
class Repeats:
    """How often a label was given again, and how far beyond chance; both of repeats."""

    percent: Estimate
    kappa: Estimate


def repeated(items: Ints, raters: Ints, labels: Ints, *, values: int, weighting: Weighting = "identity") -> Repeats:
    """Labels one by one in the order of time; each is compared with the same rater's one before on the same item.

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

    percent = _of_cells(cells, same, note=note, sample=sample)
    drawn = ("annotators", people) if people >= ENOUGH_RATERS else ("repeats", len(cells))
    percent = where_all_agree(percent, units=drawn[1], called=drawn[0])
    return Repeats(percent, _of_cells(cells, kappa, note=note, sample=sample))


def _of_cells(cells: Floats, statistic: Callable[[Floats], Floats], *, note: str, sample: Sample) -> Estimate:
    value = float(statistic(cells.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=len(cells), unit="repeats")
    return replace(estimate(value, cells, statistic, n=len(cells), note=note, sample=sample), unit="repeats")


ONE_RATER = "all labels are from one annotator"


@dataclass(frozen=True, slots=True)
class Chance:
    """Sums over raters: of shares of the labels (n, values), of each one's product with itself (n,); raters (n,)."""

    shares: Floats
    products: Floats
    raters: Floats

    def expected(self, weights: Floats) -> Floats:
        """The weighted agreement by chance, mean over every two raters; NaN where there are fewer than two."""
        both = ((self.shares @ weights) * self.shares).sum(axis=1) - self.products
        return ratio(both, self.raters * (self.raters - 1))


def conger(
    items: Ints, raters: Ints, labels: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    """κ of labels one by one: the item's row, the rater, the code. n is items with two labels or more.

    Conger 1980, Psychological Bulletin 88: 322–328; with different numbers of labels an item and weights as in Gwet
    2014, section 4.3, and irrCAC. Of two raters who labeled everything it is Cohen's κ. The interval is the jackknife's
    over items, or over the clusters that `sample` names by the item's row.

    Two raters on four items, who differ on the last:

    >>> items, raters = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> round(conger(items, raters, np.array([0, 0, 0, 0, 1, 1, 1, 0]), values=2).value, 3)
    0.5
    """
    said, weights = read_said(items, raters, labels, sample=sample), weight_matrix(weighting, values=values)
    counts = count(said.item, said.label, size=said.items, values=values)
    several = counts.sum(axis=1) >= 2
    n = int(several.sum())
    if not n:
        return Estimate.none(NO_PAIRS)
    if said.raters < 2:
        return Estimate.none(ONE_RATER, n=n)
    by_rater = count(said.rater, said.label, size=said.raters, values=values).astype(np.float64)
    observed = np.column_stack([several, np.where(several, agreeing(counts, weights), 0.0)])
    sums = observed.sum(axis=0)
    chance = _chance(by_rater, weights)
    value = float(_kappas(sums[None], chance, weights)[0])
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=n)
    left_out = _kappas(sums - cluster_sums(observed, said.groups), _chance_without(said, by_rater, weights), weights)
    note = lone_note(int((~several).sum()))
    return with_t(value, variance(left_out), units=said.clusters, n=n, note=note)


def _kappas(sums: Floats, chance: Chance, weights: Floats) -> Floats:
    return beyond_chance(ratio(sums[:, 1], sums[:, 0]), chance.expected(weights))


def _chance(by_rater: Floats, weights: Floats) -> Chance:
    shares, products, there = _shares(by_rater, weights)
    return Chance(shares.sum(axis=0)[None], np.array([products.sum()]), np.array([float(there.sum())]))


def _shares(tables: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Each row's shares of the labels (all 0 where it has none), the weighted product with itself, and 1 where any."""
    totals = tables.sum(axis=1)
    shares = tables / np.maximum(totals, 1)[:, None]
    return shares, ((shares @ weights) * shares).sum(axis=1), (totals > 0).astype(np.float64)


def _chance_without(said: CodedLabels, by_rater: Floats, weights: Floats) -> Chance:
    """Chance with each group of items left out: only the shares of the raters who labeled it change."""
    values, group = by_rater.shape[1], said.groups[said.item]
    whole = _chance(by_rater, weights)
    whole_shares, whole_products, _ = _shares(by_rater, weights)
    keys = group * said.raters + said.rater
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    changed = np.zeros((said.clusters, values + 2))
    for part in blocks(keys):
        met, place = runs(keys[part])
        rater = met % said.raters
        gone = count(place, said.label[order[part]], size=len(met), values=values)
        shares, products, there = _shares(by_rater[rater] - gone, weights)
        change = np.column_stack([shares - whole_shares[rater], products - whole_products[rater], there - 1])
        np.add.at(changed, met // said.raters, change)
    sums = np.column_stack([whole.shares, whole.products, whole.raters]) + changed
    return Chance(sums[:, :values], sums[:, values], sums[:, values + 1])
