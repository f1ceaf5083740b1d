"""How much is left to collect: labels, sittings, hours of work and days, by how sittings have gone so far.

Sittings that ended are drawn anew, whole, with what each gave, what of it counts (nothing, where its annotator was
excluded) and how long it took (Efron and Tibshirani 1993, chapter 6). In every draw the number of further sittings
until no labels are missing is that of a renewal process, normal with mean R / μ and variance R σ² / μ³ (Feller 1971,
An Introduction to Probability Theory II, section XI.5), R the labels that are missing, μ and σ² mean and variance of
what a drawn sitting yields. So the interval is of what will come, not of a mean alone.
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import DRAWS, SEED, resample

# With fewer sittings than this, a forecast would be a guess.
FEWEST = 5
UNIT = "sittings"
NONE_LEFT = "no labels are missing"
NONE_COUNTS = "no label of these batches counts"
SO_FEW = f"fewer than {FEWEST} finished batches"
SO_SHORT = "all batches so far ended within one hour"
HOUR = 1 / 24


@dataclass(frozen=True, slots=True)
class Forecast:
    """`labels`: still to be given, those that will not count among them. `hours` are of annotators' work."""

    sittings: Estimate
    labels: Estimate
    hours: Estimate
    days: Estimate

    def cost(self, pay: float) -> Estimate:
        """Of the sittings that are still needed, each at this pay."""
        found = self.sittings
        if found.value is None:
            return found
        low, high = (None if end is None else pay * end for end in (found.low, found.high))
        return Estimate(pay * found.value, low, high, n=found.n, no_interval=found.no_interval, unit=UNIT)


def forecast(given: Ints, counted: Ints, minutes: Floats, *, missing: int, days: float) -> Forecast:
    """Of sittings that ended, within so many days: labels given, those that count, and minutes.

    >>> found = forecast(np.full(20, 10), np.repeat([10, 0], [16, 4]), np.full(20, 6.0), missing=80, days=2.0)
    >>> found.sittings.value, found.labels.value, found.hours.value, found.days.value
    (10.0, 100.0, 1.0, 1.0)
    """
    n = len(given)
    reason = NONE_LEFT if not missing else SO_FEW if n < FEWEST else NONE_COUNTS if not counted.sum() else ""
    if reason:
        nothing = Estimate.none(reason, n=n, unit=UNIT)
        return Forecast(nothing, nothing, nothing, nothing)
    columns = np.column_stack([given, counted, counted**2.0, minutes, minutes**2, np.ones(n)])
    sittings, labels, hours = _left(columns.sum(axis=0)[None], missing, np.zeros((2, 1)))
    rng = np.random.default_rng((SEED, n, missing))
    drawn = _left(resample(columns), missing, rng.standard_normal((2, DRAWS)))
    pace = rng.gamma(n, 1 / n, size=DRAWS) * n / max(days, HOUR)
    of_days = _estimate(sittings * days / n, drawn[0] / pace, n)
    return Forecast(
        sittings=_estimate(np.ceil(sittings - 1e-9), np.ceil(drawn[0] - 1e-9), n),
        labels=_estimate(np.ceil(labels - 1e-9), drawn[1], n),
        hours=_estimate(hours, drawn[2], n),
        days=of_days if days > HOUR else Estimate.none(SO_SHORT, n=n, unit=UNIT),
    )


def _left(sums: Floats, missing: int, normal: Floats) -> tuple[Floats, Floats, Floats]:
    """Sittings, labels and hours per draw; infinite where no label of a draw counts."""
    given, counted, squares, minutes, minutes_squared, n = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = counted / n
        spread = np.maximum(squares / n - mean**2, 0.0)
        sittings = missing / mean + normal[0] * np.sqrt(missing * spread / mean**3)
        # Where none counts there is no end to it. At least one sitting is needed for anything.
        sittings = np.where(counted > 0, np.maximum(sittings, 1.0), np.inf)
        uneven = np.sqrt(sittings * np.maximum(minutes_squared / n - (minutes / n) ** 2, 0.0))
        # An infinite mean less an infinite spread would be no number, and leave the hours without an interval.
        worked = np.where(counted > 0, np.maximum(sittings * minutes / n + normal[1] * uneven, 0.0), np.inf)
    return sittings, sittings * given / n, worked / 60


def _estimate(value: Floats, drawn: Floats, n: int) -> Estimate:
    low, high = np.percentile(drawn, [2.5, 97.5], method="nearest")
    if not np.isfinite(high):
        why = "too many resamples of these batches have no label that counts"
        return Estimate(float(value[0]), n=n, no_interval=why, unit=UNIT)
    return Estimate(float(value[0]), float(low), float(high), n=n, unit=UNIT)
