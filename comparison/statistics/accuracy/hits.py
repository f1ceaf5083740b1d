"""How often one rater gives the label that is taken as true, and how far beyond chance.

Codes are places on the scale; MISSING where the rater or the truth has none. Such items are left out and
are never counted as wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint

from comparison.statistics.agreement.coefficients import ONE_LABEL, beyond_chance
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate, rounded
from comparison.statistics.resampling.bootstrap import Floats, estimate

NOTHING_SHARED = "no item has both a decision and a label to compare it with"


@dataclass(frozen=True, slots=True)
class Hits:
    """Accuracy with what it rests on."""

    correct: int
    compared: int
    accuracy: Estimate

    @property
    def percent(self) -> str:
        """The exact share, for the hover and the download: `66.42 %`."""
        return f"{rounded(100 * self.correct / self.compared, decimals=2)} %" if self.compared else ""


def accuracy(decided: Ints, truth: Ints) -> Hits:
    """The share of right decisions with Wilson's interval (Wilson 1927; Brown, Cai and DasGupta 2001).

    >>> found = accuracy(np.array([0, 1, 1, MISSING]), np.array([0, 1, 0, 1]))
    >>> found.correct, found.compared, str(found.accuracy)
    (2, 3, '.7 [.2, .9], n = 3')
    """
    both = (decided != MISSING) & (truth != MISSING)
    compared = int(both.sum())
    correct = int((decided[both] == truth[both]).sum())
    return Hits(correct, compared, share(correct, compared, reason=NOTHING_SHARED))


def share(count: int, total: int, *, reason: str) -> Estimate:
    """count / total with Wilson's 95 % interval; undefined for `reason` where total is 0."""
    if total == 0:
        return Estimate.none(reason)
    low, high = proportion_confint(count, total, method="wilson")
    # Wilson's interval touches 0 and 1 exactly at the ends; rounding errors would step over them.
    return Estimate(count / total, max(0.0, float(low)), min(1.0, float(high)), n=total)


def kappa(decided: Ints, truth: Ints, *, values: int, words: Sequence[str] = (), called: str = "") -> Estimate:
    """Cohen's κ of decisions and truth (Cohen 1960, equation 1) with an interval by drawing items anew.

    `called` says what is taken as true, such as `references`, and `words` are those of the scale. Where all of it is
    one label, κ is 0 whatever is decided (or 0/0, where all decisions are that label too): it says nothing of the
    decisions, and is undefined here.

    >>> kappa(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]), values=2).value
    0.5
    """
    both = (decided != MISSING) & (truth != MISSING)
    one, other = decided[both], truth[both]
    if not len(one):
        return Estimate.none(NOTHING_SHARED)
    if called and len(np.unique(other)) == 1:
        part = " of the items that are decided" if len(np.unique(truth[truth != MISSING])) > 1 else ""
        return Estimate.none(f"all {called}{part} are one label ({words[other[0]]})", n=len(one))
    if len(np.union1d(one, other)) < 2:
        return Estimate.none(ONE_LABEL, n=len(one))
    value = float(cohen_kappa_score(one, other, labels=list(range(values))))
    if len(np.unique(one)) == 1:
        # Chance agreement is all the agreement there is, in every draw.
        return Estimate(value, n=len(one), no_interval="the decisions are all the same label, so κ is 0")
    cells = np.eye(values * values)[one * values + other]

    def of_sums(sums: Floats) -> Floats:
        return _kappa_of_sums(sums.reshape(len(sums), values, values))

    return estimate(value, cells, of_sums, n=len(one))


def _kappa_of_sums(tables: Floats) -> Floats:
    totals = tables.sum(axis=(1, 2))
    observed = np.trace(tables, axis1=1, axis2=2) / totals
    expected = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / totals**2
    return beyond_chance(observed, expected)
