"""How often one rater gives the label that is taken as true, and how far beyond chance.

Codes are places on the scale; MISSING where the rater or the truth has none. Such items are left out and
are never counted as wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.agreement.coefficient import ONE_LABEL
from comparison.statistics.agreement.cohen import kappa_of_tables
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, rounded
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, NO_EFFECT, DesignEffect, Sample, design_effect, table_cells
from comparison.statistics.wilson import wilson

Mask = NDArray[np.bool_]

NOTHING_SHARED = "no item has both an answer and a label to compare it with"


@dataclass(frozen=True, slots=True)
class Hits:
    """Accuracy with what it rests on."""

    correct: int
    compared: int
    accuracy: Estimate

    @property
    def wrong(self) -> int:
        return self.compared - self.correct

    @property
    def percent(self) -> str:
        """The exact share, for the hover and the download: `66.42 %`."""
        return f"{rounded(100 * self.correct / self.compared, decimals=2)} %" if self.compared else ""


def accuracy(decided: Ints, truth: Ints, *, sample: Sample = ITEMS, times: float = 1.0) -> Hits:
    """The share of right decisions with Wilson's interval (Wilson 1927; Brown, Cai and DasGupta 2001).

    Where items hang together in clusters, the interval is that of as many items as they are worth: n over the design
    effect, which the note says (Kish 1965; Franco, Little, Louis and Slud 2019 on Wilson's interval with it).

    >>> found = accuracy(np.array([0, 1, 1, MISSING]), np.array([0, 1, 0, 1]))
    >>> found.correct, found.compared, str(found.accuracy)
    (2, 3, '.7 [.2, .9], n = 3')
    """
    both = (decided != MISSING) & (truth != MISSING)
    right = both & (decided == truth)
    found = share_of(right, both, reason=NOTHING_SHARED, sample=sample, times=times)
    return Hits(sample.size(right), sample.size(both), found)


def accuracy_of_all(decided: Ints, truth: Ints, asked: Mask, *, sample: Sample = ITEMS) -> Hits:
    """Accuracy over every item of `asked` that has a truth: what is undecided or was not scored counts as wrong.

    >>> every = np.ones(4, dtype=np.bool_)
    >>> str(accuracy_of_all(np.array([0, 1, 1, MISSING]), np.array([0, 1, 0, 1]), every).accuracy)
    '.5 [.2, .8], n = 4'
    """
    known = asked & (truth != MISSING)
    if not (known & (decided != MISSING)).any():
        return Hits(0, 0, Estimate.none(NOTHING_SHARED))
    right = known & (decided == truth)
    found = share_of(right, known, reason=NOTHING_SHARED, sample=sample)
    return Hits(sample.size(right), sample.size(known), found)


def share_of(those: Mask, among: Mask, *, reason: str, sample: Sample = ITEMS, times: float = 1.0) -> Estimate:
    """The share of items that are in `those`, all of which are `among`; of clusters with what they are worth."""
    effect = NO_EFFECT
    if sample.clusters is not None and among.any():
        effect = design_effect(those[among].astype(np.float64), sample.clusters[among])
    return share(sample.size(those), sample.size(among), reason=reason, effect=effect, times=times)


def share(count: float, total: int, *, reason: str, effect: DesignEffect = NO_EFFECT, times: float = 1.0) -> Estimate:
    """count / total with Wilson's 95 % interval; undefined for `reason` where total is 0."""
    if total == 0:
        return Estimate.none(reason)
    if effect.undefined:
        return Estimate(count / total, n=total, no_interval=effect.undefined)
    low, high = wilson(count / total, total / effect.value, effect.reach * times)
    # Wilson's interval touches 0 and 1 exactly at the ends; rounding errors would fall beside them.
    low, high = (0.0 if count == 0 else low), (1.0 if count == total else high)
    return Estimate(count / total, low, high, n=total, note=effect.words)


def kappa(
    decided: Ints,
    truth: Ints,
    *,
    values: int,
    words: Sequence[str] = (),
    called: str = "",
    sample: Sample = ITEMS,
) -> Estimate:
    """Cohen's κ of decisions and truth (Cohen 1960, equation 1) with an interval by drawing items anew.

    `called` says what is taken as true, such as `references`, and `words` are those of the scale. Where all of it is
    one label, κ is 0 whatever is decided (or 0/0, where all decisions are that label too): it says nothing of the
    decisions, and is undefined here.

    >>> kappa(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]), values=2).value
    0.5
    """
    both = (decided != MISSING) & (truth != MISSING)
    one, other, n = decided[both], truth[both], sample.size(both)
    if not n:
        return Estimate.none(NOTHING_SHARED)
    if called and len(np.unique(other)) == 1:
        part = " of the answered items" if len(np.unique(truth[truth != MISSING])) > 1 else ""
        return Estimate.none(f"all {called}{part} are one label ({words[other[0]]})", n=n)
    if len(np.union1d(one, other)) < 2:
        return Estimate.none(ONE_LABEL, n=n)

    def of_sums(sums: Floats) -> Floats:
        return kappa_of_tables(sums.reshape(len(sums), values, values), np.eye(values))

    cells, cell_sample = table_cells(one * values + other, size=values * values, sample=sample.where(both))
    value = float(of_sums(np.atleast_2d(cell_sample.sums(cells)))[0])
    if len(np.unique(one)) == 1:
        # Chance agreement is all the agreement there is, in every draw.
        return Estimate(value, n=n, no_interval="all answers are the same label, so κ is 0")
    return estimate(value, cells, of_sums, n=n, sample=cell_sample)
