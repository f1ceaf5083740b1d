"""What nearness is measured by: a study's primary measure, the same on every page.

Spearman's ρ of scores with ratings (ranked.py), or one of labels: accuracy, on any scale; on ordered scales also
Cohen's κ with quadratic weights (Cohen 1968) and the mean distance in degrees. Each is a function of sums over items,
so that it can be had for drawn items as for all; and each is chosen before figures are seen, by the study's own file.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate

ACCURACY, KAPPA, DISTANCE, RHO = "accuracy", "quadratic_kappa", "distance", "spearman"
KEYS = (ACCURACY, KAPPA, DISTANCE, RHO)


@dataclass(frozen=True, slots=True)
class Measure:
    """`columns` of an item with these two labels on a scale of so many values; `of_sums` of their sums, (draws, m).

    Rows in which a label is MISSING add nothing. `sign` is 1 where more is nearer and -1 where less is.
    """

    key: str
    sign: int
    columns: Callable[[Ints, Ints, int], Floats]
    of_sums: Callable[[Floats], Floats]

    def ends(self, values: int) -> tuple[float, float]:
        """The least and the most that it can be on a scale of so many values."""
        return (-1.0, 1.0) if self.key == KAPPA else (0.0, float(values - 1) if self.key == DISTANCE else 1.0)

    def widened(self, found: Estimate, times: float, values: int) -> Estimate:
        """With an interval of so many times as many standard errors, as far as the measure goes.

        >>> measure_of("distance", ordered=True).widened(Estimate(0.5, 0.4, 0.7, n=9), 2.0, 5).short
        '.5 [.3, .9]'
        """
        if found.value is None or found.low is None or found.high is None:
            return found
        least, most = self.ends(values)
        low, high = (found.value + times * (end - found.value) for end in (found.low, found.high))
        return replace(found, low=max(least, low), high=min(most, high))


def _both(decided: Ints, truth: Ints) -> Floats:
    return np.asarray((decided != MISSING) & (truth != MISSING), dtype=np.float64)


def _hits(decided: Ints, truth: Ints, values: int) -> Floats:
    both = _both(decided, truth)
    return np.column_stack([both * (decided == truth), both])


def _distances(decided: Ints, truth: Ints, values: int) -> Floats:
    both = _both(decided, truth)
    return np.column_stack([both * np.abs(decided - truth), both])


def _cells(decided: Ints, truth: Ints, values: int) -> Floats:
    cells = np.eye(values * values)[np.where(_both(decided, truth) > 0, decided * values + truth, 0)]
    return np.asarray(cells * _both(decided, truth)[:, None])


def _mean(sums: Floats) -> Floats:
    share: Floats = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return share


def _quadratic_kappa(sums: Floats) -> Floats:
    """1 less the squared distances over those that the two distributions of labels give by chance; 0 for 0/0.

    Where every label is the same, the labels say nothing of who gave them.
    """
    size = round(sums.shape[1] ** 0.5)
    tables = sums.reshape(len(sums), size, size)
    apart = (np.arange(size)[:, None] - np.arange(size)) ** 2
    total = tables.sum(axis=(1, 2))
    expected = ((tables.sum(axis=2)[:, :, None] * tables.sum(axis=1)[:, None, :]) * apart).sum(axis=(1, 2))
    ratio = (tables * apart).sum(axis=(1, 2)) * total
    found = 1 - np.divide(ratio, expected, out=np.ones_like(total), where=expected > 0)
    return np.where(total > 0, found, np.nan)


_MEASURES = {
    ACCURACY: Measure(ACCURACY, 1, _hits, _mean),
    KAPPA: Measure(KAPPA, 1, _cells, _quadratic_kappa),
    DISTANCE: Measure(DISTANCE, -1, _distances, _mean),
}

# Of scores and not of labels: its figures are those of ranked.py.
RANKED = Measure(RHO, 1, _hits, _mean)


def measure_of(key: str, *, ordered: bool) -> Measure:
    """The measure of labels by its key: accuracy wherever there are no degrees to be apart by, and for ρ, of scores.

    >>> measure_of("distance", ordered=True).key, measure_of("distance", ordered=False).key
    ('distance', 'accuracy')
    """
    return _MEASURES[key if ordered and key in _MEASURES else ACCURACY]
