"""Percent agreement: how often two labels on one item are the same, chance included.

Fleiss' κ (1971), in the general form for different numbers of labels an item.

Gwet's AC1 and, with weights, AC2 (Gwet 2008): agreement beyond chance that a skew of the labels does not crush.

The coefficient of Brennan and Prediger (1981): chance is guessing among all labels of the scale alike.

How common the most used label is: where it is nearly all of them, coefficients beyond chance are low by their make
(Feinstein and Cicchetti 1990, Journal of Clinical Epidemiology 43: 543–549, "High agreement but low kappa").
"""

from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.agreement.coefficient import (
    Coefficient,
    Weighting,
    chance_corrected,
    over_items,
    patterns,
    ratio,
    weight_matrix,
)
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def percent_agreement(counts: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """The share of pairs of labels on the same item that are the same label. n is items with two labels or more.

    Every pair counts the same, so that an item with more labels weighs more (Fleiss' and Gwet's coefficients take the
    mean over items; with as many labels on every item the two are one).

    Two people on three items, who agree on two of them:

    >>> round(percent_agreement(np.array([[2, 0], [0, 2], [1, 1]])).value, 3)
    0.667
    """
    return over_items(PERCENT, counts, sample=sample)


def _parts(counts: Ints) -> Floats:
    totals = counts.sum(axis=1)
    same = (counts * (counts - 1)).sum(axis=1) / 2
    return np.column_stack([same, totals * (totals - 1) / 2])


def _of_sums(sums: Floats) -> Floats:
    return ratio(sums[:, 0], sums[:, 1])


PERCENT = Coefficient(_parts, _of_sums, is_share=True)


def fleiss(counts: Ints, *, weighting: Weighting = "identity", sample: Sample = ITEMS) -> Estimate:
    """Fleiss' κ of counts (items, values). n is items with two labels or more.

    Fleiss 1971, Psychological Bulletin 76: 378–382, equations 2 to 7, where all items have the same number of labels;
    otherwise Gwet 2014, section 4.3. Of two annotators it is Scott's π (1955). Chance is that of two labels drawn from
    all: where one label is far more common than the others, κ is low even of people who agree.

    >>> round(fleiss(np.array([[2, 0], [2, 0], [1, 1], [0, 2]])).value, 3)
    0.467
    """
    return over_items(fleiss_form(counts.shape[1], weighting), counts, sample=sample)


def fleiss_form(values: int, weighting: Weighting = "identity") -> Coefficient:
    """Fleiss' κ as a function of sums over items.

    >>> fleiss_form(2).fewest
    1
    """
    weights = weight_matrix(weighting, values=values)

    def expected(shares: Floats) -> Floats:
        return np.asarray(((shares @ weights) * shares).sum(axis=1))

    return chance_corrected(weights, expected)


def gwet(counts: Ints, *, weighting: Weighting = "identity", sample: Sample = ITEMS) -> Estimate:
    """AC1 of counts (items, values), or AC2 with other weights than identity. n is items with two labels or more.

    Gwet 2008, British Journal of Mathematical and Statistical Psychology 61: 29–48, equations 5 to 7; for several
    annotators and weights Gwet 2014, section 4.3. Chance is that of a rater who guesses among all labels of the scale,
    used or not, on items that are hard to tell: it falls where one label is far more common than the others.

    Two people agree on nineteen of twenty items, all but one labeled alike; Fleiss' κ of them is below 0:

    >>> round(gwet(np.array([[2, 0]] * 19 + [[1, 1]])).value, 3)
    0.947
    """
    return over_items(gwet_form(counts.shape[1], weighting), counts, sample=sample)


def gwet_form(values: int, weighting: Weighting = "identity") -> Coefficient:
    """AC1 or AC2 as a function of sums over items.

    >>> gwet_form(2, "linear").fewest
    1
    """
    weights = weight_matrix(weighting, values=values)

    def expected(shares: Floats) -> Floats:
        if values < 2:
            return np.ones(len(shares))
        return np.asarray(weights.sum() / (values * (values - 1)) * (shares * (1 - shares)).sum(axis=1))

    return chance_corrected(weights, expected)


def brennan_prediger(counts: Ints, *, weighting: Weighting = "identity", sample: Sample = ITEMS) -> Estimate:
    """Of counts (items, values), all values of the scale, used or not. n is items with two labels or more.

    Brennan and Prediger 1981, Educational and Psychological Measurement 41: 687–699 (κ_n); of two annotators and two
    labels it is Bennett, Alpert and Goldstein's S (1954). With weights: Gwet 2014, section 4.3.

    >>> brennan_prediger(np.array([[2, 0], [2, 0], [1, 1], [0, 2]])).value
    0.5
    """
    return over_items(brennan_form(counts.shape[1], weighting), counts, sample=sample)


def brennan_form(values: int, weighting: Weighting = "identity") -> Coefficient:
    """Brennan and Prediger's κ as a function of sums over items.

    >>> brennan_form(2).fewest
    1
    """
    weights = weight_matrix(weighting, values=values)
    chance = float(weights.sum()) / values**2
    return chance_corrected(weights, lambda shares: np.full(len(shares), chance))


# Above this share of all labels, the skew is named beside the coefficients.
SKEWED = 0.8


@dataclass(frozen=True, slots=True)
class Prevalence:
    """The code of the most used label (MISSING where nothing is labeled) and its share of all labels."""

    code: int
    share: Estimate

    @property
    def is_skewed(self) -> bool:
        return self.share.value is not None and self.share.value > SKEWED

    def words(self, label: str) -> str:
        """What a reader of coefficients must know; empty unless one label has more than SKEWED of all."""
        if self.share.value is None or not self.is_skewed:
            return ""
        return (
            f"{percent(self.share.value)} of all labels are “{label}”. When one label dominates, coefficients that "
            "correct for chance (κ, α) are low even if people agree; read percent agreement and AC1 beside them."
        )


def prevalence(counts: Ints, *, sample: Sample = ITEMS) -> Prevalence:
    """Of counts (items, values): of equals the first; n is labels, items are drawn anew.

    >>> found = prevalence(np.array([[3, 0], [3, 0], [2, 1]]))
    >>> found.code, round(found.share.value, 3), found.is_skewed
    (0, 0.889, True)
    """
    counts, sample = patterns(np.asarray(counts, dtype=np.int64), sample)
    totals = counts.sum(axis=1)
    labels = int(sample.total(totals))
    if not labels:
        return Prevalence(MISSING, Estimate.none("no item is labeled yet", unit="labels"))
    here = totals > 0
    own = sample.where(here)
    code = int(own.sums(counts[here].astype(np.float64)).argmax())
    columns = np.column_stack([counts[here, code], totals[here]]).astype(np.float64)
    value = float(own.total(columns[:, 0])) / labels
    found = estimate(value, columns, lambda sums: sums[:, 0] / sums[:, 1], n=labels, sample=own, is_share=True)
    return Prevalence(code, replace(found, unit="labels"))
