"""Runs that name no label: does their strength rise with the labels? A second line, never a rival to the verdict."""

from math import atanh

from scipy.stats import norm

from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.evidence import Entrant
from comparison.statistics.verdict.odds import holm
from comparison.statistics.verdict.parts import Strength


def strengths(entrants: tuple[Entrant, ...]) -> tuple[Strength, ...]:
    """Models with a ρ, the highest first, each with p for no correlation (Fisher's z; two-sided; Holm 1979).

    >>> import numpy as np
    >>> one = Entrant(run=1, name="m", is_baseline=False, decided=np.zeros(0, dtype=int),
    ...     strength=Estimate(0.2, -0.1, 0.46, n=50))
    >>> [(found.name, round(found.p, 2), found.is_told) for found in strengths((one,))]
    [('m', 0.16, False)]
    """
    rated = [one for one in entrants if not one.is_baseline and one.strength.value is not None]
    ps = holm([_p(one.strength) for one in rated])
    found = [Strength(run=one.run, name=one.name, rho=one.strength, p=p) for one, p in zip(rated, ps, strict=True)]
    return tuple(sorted(found, key=lambda one: (-(one.rho.value or 0.0), one.run)))


def _p(rho: Estimate) -> float:
    """Two-sided, by Fisher's z with a standard error of 1 / √(n - 3), as where there is none."""
    if rho.value is None or abs(rho.value) >= 1 or rho.n <= 3:
        return 1.0 if rho.n <= 3 else 0.0
    return float(2 * norm.sf(abs(atanh(rho.value)) * (rho.n - 3) ** 0.5))
