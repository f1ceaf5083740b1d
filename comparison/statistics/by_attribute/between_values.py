"""Whether a run is as often right on the items with one value of an attribute as on those with another.

Pearson's χ² of the table of values by right and wrong (Pearson 1900); where it expects fewer than five items in a cell
(Cochran 1954), Fisher's exact test (Fisher 1935), of more than two values by draws of tables with the same margins
(Freeman and Halton 1951). Of two values, χ² with Yates's continuity correction (1934) stands beside.

How strong the dependence is says Cramér's V (1946), whose interval is by
the noncentral χ² distribution (Smithson 2003, chapter 4).

Items of one group are right and wrong together, and no test of items one by one knows that: then what groups have is
exchanged between them (chance.py), and the larger of both p is taken; V's interval is that of as many items
as these are worth (Rao and Scott 1981, first order).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy as sp

from comparison.statistics.accuracy.hits import NOTHING_SHARED
from comparison.statistics.chance import exchanged, least_p, tables_like
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.sample import ITEMS, NO_EFFECT, DesignEffect, Sample, design_effect

CHI_SQUARED, FISHER = "χ²", "Fisher’s exact test"
# Below this expected count in any cell, χ² is not to be trusted.
EXPECTED = 5
ONE_VALUE = "all compared items have the same value"


@dataclass(frozen=True, slots=True)
class BetweenValues:
    """p that values differ so by chance. `statistic` and `degrees` are of χ²; None where Fisher's test was made.

    `undefined` says why there is no p. `by_groups`: how groups were exchanged, in words; empty where items stand alone;
    `least` is then the smallest p that so many exchanges can give. `values` are those that items in the test have.
    `yates` is χ² of two values with the continuity correction, whatever the `test`, and `p_yates` its p.
    """

    test: str
    p: float | None
    statistic: float | None
    degrees: int
    v: Estimate
    n: int
    by_groups: str = ""
    undefined: str = ""
    values: tuple[str, ...] = ()
    least: float = 0.0
    yates: float | None = None
    p_yates: float | None = None


def between_values(
    attribute: Iterable[str], decided: Ints, truth: Ints, values: Sequence[str], *, sample: Sample = ITEMS
) -> BetweenValues:
    """Of the items with one of these values, a decision and a true label.

    >>> import numpy as np
    >>> column, right = np.array(["a"] * 20 + ["b"] * 20), np.array([1] * 15 + [0] * 10 + [1] * 15)
    >>> found = between_values(column, right, np.ones(40, dtype=int), ["a", "b"])
    >>> found.test, found.p, str(found.v)
    ('χ²', 1.0, '.00 [.00, .47], n = 40')
    """
    column = np.array([*attribute], dtype=object)
    here = np.isin(column, list(values)) & (decided != MISSING) & (truth != MISSING)
    names = [value for value in values if (column[here] == value).any()]
    if not here.any():
        return _undefined(NOTHING_SHARED, 0)
    n = int(here.sum())
    if len(names) < 2:
        return _undefined(ONE_VALUE, n, names)
    codes = np.argmax(column[here][:, None] == np.array(names, dtype=object), axis=1)
    right = (decided == truth)[here]
    if right.all() or not right.any():
        return _undefined(f"all of them are {'right' if right.all() else 'wrong'}", n, names)
    table = np.stack([np.bincount(codes[right == side], minlength=len(names)) for side in (True, False)], axis=1)
    return replace(_tested(table, codes, right, sample.where(here)), values=tuple(names))


def _tested(
    table: Ints, codes: Ints, right: "np.ndarray[tuple[int], np.dtype[np.bool_]]", sample: Sample
) -> BetweenValues:
    n, degrees = int(table.sum()), len(table) - 1
    statistic = chi_squared(table[None].astype(np.float64))[0]
    exact = bool((_expected(table.astype(np.float64)) < EXPECTED).any())
    p = _fisher(table) if exact else float(sp.stats.chi2.sf(statistic, degrees))
    yates = chi_squared_yates(table) if len(table) == 2 else None
    p_yates = None if yates is None else float(sp.stats.chi2.sf(yates, degrees))
    effect, said, least = NO_EFFECT, "", 0.0
    if sample.clusters is not None and len(np.unique(sample.clusters)) < n:
        rates = (table[:, 0] / table.sum(axis=1))[codes]
        effect = design_effect(right - rates, sample.clusters)
        by_groups, said = exchanged(codes, right, sample.clusters, statistic=chi_squared)
        p, least = max(p, by_groups), least_p(n)
        p_yates = None if p_yates is None else max(p_yates, by_groups)
    return BetweenValues(
        test=FISHER if exact else CHI_SQUARED,
        p=p,
        statistic=None if exact else float(statistic),
        degrees=degrees,
        v=_cramer(float(statistic), degrees, n, effect),
        n=n,
        by_groups=said,
        least=least,
        yates=yates,
        p_yates=p_yates,
    )


def chi_squared(tables: Floats) -> Floats:
    """Pearson's statistic of each table, shape (tables, values, 2); 0 where a margin is empty."""
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / tables.sum(axis=(1, 2), keepdims=True)
    parts = np.divide((tables - expected) ** 2, expected, out=np.zeros_like(tables), where=expected > 0)
    return np.asarray(parts.sum(axis=(1, 2)))


def chi_squared_yates(table: Ints) -> float:
    """That of a table of two by two with Yates's correction: each count half an item nearer to what is expected.

    Of 128 and 129 items, 125 and 101 are right.

    >>> round(chi_squared_yates(np.array([[125, 3], [101, 28]])), 2)
    20.92
    """
    expected = _expected(table.astype(np.float64))
    apart = np.abs(table - expected)
    return float(((apart - np.minimum(0.5, apart)) ** 2 / expected).sum())


def _expected(table: Floats) -> Floats:
    return np.asarray(table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / table.sum())


def _fisher(table: Ints) -> float:
    if len(table) == 2:
        return float(sp.stats.fisher_exact(table).pvalue)
    rng = np.random.default_rng((SEED, int(table.sum())))
    drawn = tables_like(table.sum(axis=1), table.sum(axis=0), rng).reshape(-1, *table.shape)
    seen, chances = _log_chance(table[None])[0], _log_chance(drawn)
    return float((1 + (chances <= seen + 1e-9).sum()) / (1 + len(chances)))


def _log_chance(tables: Ints) -> Floats:
    """The logarithm of how probable each table is, up to what all tables with these margins share."""
    # Here and not above: only this needs it.
    from scipy.special import gammaln

    return np.asarray(-gammaln(tables + 1.0).sum(axis=(1, 2)))


def _cramer(statistic: float, degrees: int, n: int, effect: DesignEffect) -> Estimate:
    """√(χ² / n), since right and wrong are two; in its interval is all that χ² does not speak against."""
    value = min(1.0, float(np.sqrt(statistic / n)))
    if effect.undefined:
        return Estimate(value, n=n, no_interval=effect.undefined)
    worth, seen = n / effect.value, statistic / effect.value
    # Tables nearer to each other than chance puts them are no surer of there being nothing.
    ends = [
        _noncentrality(seen, degrees, 1 - effect.alpha / 2),
        _noncentrality(max(seen, degrees), degrees, effect.alpha / 2),
    ]
    low, high = (min(1.0, float(np.sqrt(end / worth))) for end in ends)
    return Estimate(value, min(low, value), max(high, value), n=n, note=effect.words)


def _noncentrality(seen: float, degrees: int, tail: float) -> float:
    """That under which as much as was seen, or less, has this probability; 0 where even none at all has less."""
    if sp.stats.chi2.cdf(seen, degrees) <= tail:
        return 0.0
    highest = 2.0 * seen + 50.0
    while sp.stats.ncx2.cdf(seen, degrees, highest) > tail:
        highest *= 2
    return float(sp.optimize.brentq(lambda at: sp.stats.ncx2.cdf(seen, degrees, at) - tail, 1e-12, highest))


def _undefined(reason: str, n: int, values: Sequence[str] = ()) -> BetweenValues:
    return BetweenValues("", None, None, 0, Estimate.none(reason, n=n), n, undefined=reason, values=tuple(values))
