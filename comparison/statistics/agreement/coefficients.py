"""How far people agree with one another, from counts of shape (items, values).

Values come from the libraries; intervals from drawing items anew. Every function returns an Estimate and
says in words when a statistic is undefined.
"""

from typing import Literal

import krippendorff
import numpy as np
from statsmodels.stats.inter_rater import fleiss_kappa

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import estimate

Level = Literal["nominal", "ordinal"]

NO_PAIRS = "no item has two labels yet"
ONE_LABEL = "only one label was used"


def percent_agreement(counts: Ints) -> Estimate:
    """The share of pairs of labels on the same item that are the same label. n is items with two labels or more.

    Two people on three items, who agree on two of them:

    >>> round(percent_agreement(np.array([[2, 0], [0, 2], [1, 1]])).value, 3)
    0.667
    """
    pairable = _pairable(counts)
    if not len(pairable):
        return Estimate.none(NO_PAIRS)
    contributions = np.column_stack([_agreeing_pairs(pairable), _pairs(pairable)])
    value = contributions[:, 0].sum() / contributions[:, 1].sum()
    return estimate(float(value), contributions, lambda sums: sums[:, 0] / sums[:, 1], n=len(pairable))


def fleiss(counts: Ints) -> Estimate:
    """Fleiss' κ (Fleiss 1971, Psychological Bulletin 76: 378–382, equations 2 to 7).

    It needs the same number of labels for every item: the items with the most common number (two or more)
    are used, and the note says how many are left out.
    """
    pairable = _pairable(counts)
    if not len(pairable):
        return Estimate.none(NO_PAIRS)
    totals = pairable.sum(axis=1)
    raters = int(np.bincount(totals).argmax())
    used = pairable[totals == raters]
    left_out = len(pairable) - len(used)
    note = f"{left_out:,} items with another number of labels than {raters} left out" if left_out else ""
    if _labels_used(used) < 2:
        return Estimate.none(ONE_LABEL, n=len(used))
    per_item = _agreeing_pairs(used) / _pairs(used)
    contributions = np.column_stack([np.ones(len(used)), per_item, used])
    return estimate(float(fleiss_kappa(used)), contributions, _fleiss_of_sums, n=len(used), note=note)


def krippendorff_alpha(counts: Ints, *, level: Level) -> Estimate:
    """Krippendorff's α (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections C and D).

    For the ordinal level the order of the columns is the order of the scale. Items with one label say
    nothing about agreement and are left out, by definition.

    >>> counts = np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0]])
    >>> [round(krippendorff_alpha(counts, level=level).value, 3) for level in ("nominal", "ordinal")]
    [0.667, 0.79]
    """
    pairable = _pairable(counts)
    if not len(pairable):
        return Estimate.none(NO_PAIRS)
    if _labels_used(pairable) < 2:
        return Estimate.none(ONE_LABEL, n=len(pairable))
    value = krippendorff.alpha(value_counts=pairable, level_of_measurement=level)
    size = pairable.shape[1]

    def of_sums(sums: Floats) -> Floats:
        return _alpha_of_sums(sums.reshape(len(sums), size, size), level)

    return estimate(float(value), _coincidences(pairable), of_sums, n=len(pairable))


def _pairable(counts: Ints) -> Ints:
    return np.asarray(counts[counts.sum(axis=1) >= 2], dtype=np.int64)


def _labels_used(counts: Ints) -> int:
    return int((counts.sum(axis=0) > 0).sum())


def _agreeing_pairs(counts: Ints) -> Floats:
    return np.asarray((counts * (counts - 1)).sum(axis=1) / 2, dtype=np.float64)


def _pairs(counts: Ints) -> Floats:
    totals = counts.sum(axis=1)
    return np.asarray(totals * (totals - 1) / 2, dtype=np.float64)


def _fleiss_of_sums(sums: Floats) -> Floats:
    """κ per draw. Columns: items drawn, sum of the items' agreement, labels of each value."""
    observed = sums[:, 1] / sums[:, 0]
    shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
    return beyond_chance(observed, (shares**2).sum(axis=1))


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed - expected) / (1 - expected), NaN where chance alone agrees always."""
    room = 1 - expected
    possible = room > 1e-12
    return np.divide(observed - expected, room, out=np.full_like(observed, np.nan), where=possible)


def _coincidences(counts: Ints) -> Floats:
    """Each item's part of the coincidence matrix, shape (items, values * values)."""
    size = counts.shape[1]
    products = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size, dtype=np.int64)
    per_item = products / (counts.sum(axis=1) - 1)[:, None, None]
    return np.asarray(per_item.reshape(len(counts), size * size), dtype=np.float64)


def _alpha_of_sums(coincidences: Floats, level: Level) -> Floats:
    """α per draw from coincidence matrices of shape (draws, values, values)."""
    marginals = coincidences.sum(axis=2)
    distance = _squared_distances(marginals, level)
    total = marginals.sum(axis=1)
    products = marginals[:, :, None] * marginals[:, None, :]
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (products * distance).sum(axis=(1, 2))
    ratio = np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 1e-12)
    return np.asarray(1 - (total - 1) * ratio, dtype=np.float64)


def _squared_distances(marginals: Floats, level: Level) -> Floats:
    """The difference function for each draw, shape (draws, values, values)."""
    draws, size = marginals.shape
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(size), (draws, size, size))
    # Ordinal: the labels from c to k inclusive, less half of those at either end.
    middles = np.cumsum(marginals, axis=1) - marginals / 2
    return np.asarray((middles[:, :, None] - middles[:, None, :]) ** 2, dtype=np.float64)
