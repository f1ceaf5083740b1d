"""Whether what a run says follows the length of the texts, among items of which the same label is true.

Within each true label, answers and lengths are ranked and their covariances added up (Mantel 1963, the test of a
correlation over strata; with ranks, Landis, Heyman and Koch 1978). A run that is right, or wrong, or at chance whatever
the length has a correlation of 0 here, even where longer items happen to have another label more often.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata, t

from comparison.statistics.bias.sums import p_of_sums
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

# Fewer items than this beyond one for each label, and the ranks of a stratum say next to nothing.
FEWEST = 10
SAME_LENGTH = "within each label, all texts are equally long"
SAME_ANSWER = "within each label, the run always says the same"


@dataclass(frozen=True, slots=True)
class LengthBias:
    """`rho`, from -1 to 1, is positive where longer texts get more. `p` is two-sided; None where ρ is undefined."""

    rho: Estimate
    p: float | None


def length_bias(said: Floats, lengths: Floats, truth: Ints, *, sample: Sample = ITEMS) -> LengthBias:
    """All of shape (items,); `said` is NaN where the run says nothing. Groups: the larger p, of items and of groups.

    Whatever is true, the run says what the length says:

    >>> lengths = np.tile(np.arange(8.0), 2)
    >>> found = length_bias(lengths, lengths, np.repeat([0, 1], 8))
    >>> found.rho.value, found.p < 1e-6
    (1.0, True)
    """
    there = np.isfinite(said) & np.isfinite(lengths) & (truth != MISSING)
    own, n = sample.where(there), int(there.sum())
    labels = np.unique(truth[there])
    freedom = n - len(labels) - 1
    if freedom < FEWEST:
        return LengthBias(Estimate.none("too few items have an answer, a length and a label", n=n), None)
    one, other = _ranks(said[there], truth[there]), _ranks(lengths[there], truth[there])
    for column, reason in ((other, SAME_LENGTH), (one, SAME_ANSWER)):
        if not column.any():
            return LengthBias(Estimate.none(reason, n=n), None)
    parts = np.column_stack([one * other, one**2, other**2])
    rho = float(np.clip(_of_sums(parts.sum(axis=0)[None])[0], -1.0, 1.0))
    p = float(2 * t.sf(abs(rho) * (freedom / max(1 - rho**2, 1e-15)) ** 0.5, freedom))
    if own.clusters is not None:
        p = max(p, p_of_sums(parts[:, 0], sample=own))
    return LengthBias(estimate(rho, parts, _of_sums, n=n, sample=own), p)


def _ranks(column: Floats, truth: Ints) -> Floats:
    """Ranks within each label as shares of its items, less their mean: each item counts alike, whatever its label."""
    ranks = np.zeros(len(column))
    for label in np.unique(truth):
        those = truth == label
        ranks[those] = (rankdata(column[those]) - (those.sum() + 1) / 2) / those.sum()
    return ranks


def _of_sums(sums: Floats) -> Floats:
    spread = np.sqrt(sums[:, 1] * sums[:, 2])
    rho: Floats = np.divide(sums[:, 0], spread, out=np.full(len(sums), np.nan), where=spread > 0)
    return rho
