"""Conger's κ (1980): Cohen's κ for several annotators, each of whom guesses with shares of labels of their own."""

from dataclasses import dataclass

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
from comparison.statistics.counts import Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.left_out import variance, with_t
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

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
