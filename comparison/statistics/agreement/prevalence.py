"""How common the most used label is: where it is nearly all of them, coefficients beyond chance are low by their make.

Feinstein and Cicchetti (1990), Journal of Clinical Epidemiology 43: 543–549, "High agreement but low kappa".
"""

from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.agreement.coefficient import patterns
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

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
