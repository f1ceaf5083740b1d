"""Runs that name no label: does their strength rise with the labels? A second line, never a rival to the verdict."""

from math import atanh

import numpy as np
from scipy.stats import norm, t

from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.holm import holm
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import Z
from comparison.statistics.verdict.evidence import Entrant
from comparison.statistics.verdict.parts import Strength


def strengths(entrants: tuple[Entrant, ...], sample: Sample = ITEMS) -> tuple[Strength, ...]:
    """Models with a ρ, the highest first, each with p for no correlation (Fisher's z; two-sided; Holm 1979).

    >>> one = Entrant(run=1, name="m", is_baseline=False, decided=np.zeros(0, dtype=int),
    ...     strength=Estimate(0.2, -0.1, 0.46, n=50))
    >>> [(found.name, round(found.p, 2), found.is_told) for found in strengths((one,))]
    [('m', 0.18, False)]
    """
    rated = [one for one in entrants if not one.is_baseline and one.strength.value is not None]
    groups = 0 if sample.clusters is None else len(np.unique(sample.clusters))
    ps = holm([p_of_rho(one.strength, groups) for one in rated])
    found = [Strength(run=one.run, name=one.name, rho=one.strength, p=p) for one, p in zip(rated, ps, strict=True)]
    return tuple(sorted(found, key=lambda one: (-(one.rho.value or 0.0), one.run)))


def p_of_rho(rho: Estimate, groups: int, *, as_drawn: bool = False) -> float:
    """Two-sided, by Fisher's z; its error without correlation is 1 / √(worth − 3), the worth that of the interval.

    So items of groups are worth no more here than there, and few groups have Student's t here as there.
    `as_drawn`: with the error of the interval itself, so that p is below .05 where the interval leaves 0 out.
    """
    if rho.value is None or rho.n <= 3:
        return 1.0
    if rho.low is None or rho.high is None:
        return 0.0 if abs(rho.value) == 1 and groups != 1 else 1.0
    reach = float(t.ppf(0.975, groups - 1)) if groups else Z
    # An end that few groups push to 1 as a float has no z; the interval is as wide on the other side.
    ends = [end for end in (rho.low, rho.high) if abs(end) < 1]
    if not ends:
        return 1.0
    half = sum(abs(atanh(end) - atanh(rho.value)) for end in ends) / len(ends)
    far = abs(atanh(rho.value)) * reach / half * (1.0 if as_drawn else (1 + rho.value**2 / 2) ** 0.5)
    return float(2 * (t.sf(far, groups - 1) if groups else norm.sf(far)))
