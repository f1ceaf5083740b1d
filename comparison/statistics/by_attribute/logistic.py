"""A plain logistic regression of being right on attributes (Cox 1958): no random effects, of items or of words.

Where items hang together, standard errors are those of groups (Liang and Zeger 1986), by Student's t for as many.
Figures are odds ratios: by how much the odds of being right are multiplied when a number is higher by one, or when an
attribute has this value and not the one that most items have. A figure that the data do not determine is undefined.
"""

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from comparison.statistics.between_runs.mcnemar import p_in_words
from comparison.statistics.by_attribute.left_out import LeftOut, left_out
from comparison.statistics.by_attribute.undetermined import (
    CERTAIN,
    DOUBTFUL,
    NO_END,
    WIDE,
    Named,
    following,
    inflation,
    separated,
)
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.values import values_of

Texts = NDArray[np.object_]
# Of each outcome there must be so many items for every figure (Vittinghoff and McCulloch 2007).
EVENTS = 5
FEWEST_GROUPS = 10
ONE_MORE = "one more"


@dataclass(frozen=True, slots=True)
class Factor:
    """What `odds` is of: of a number, `more` of it; of a value, it and not the value `beside`."""

    attribute: str
    value: str
    beside: str
    odds: Estimate
    p: float | None
    more: str = ""

    @property
    def p_words(self) -> str:
        return "" if self.p is None else p_in_words(self.p)


@dataclass(frozen=True, slots=True)
class Regression:
    """Of `n` items, `right` of them right. `undefined` says why nothing was fitted; `note`, whose errors these are."""

    factors: tuple[Factor, ...]
    n: int
    right: int
    left_out: LeftOut
    undefined: str = ""
    note: str = ""


def regress(
    decided: Ints,
    truth: Ints,
    numbers: Mapping[str, Floats],
    classes: Mapping[str, Texts],
    *,
    sample: Sample = ITEMS,
) -> Regression:
    """Items that lack one of the numbers, a decision or a label are left out.

    Right on 12 of 20 items of one class and on 6 of 20 of the other: (6 / 14) / (12 / 8).

    >>> decided = np.array([1] * 12 + [0] * 8 + [1] * 6 + [0] * 14)
    >>> classes = np.array(["a"] * 20 + ["b"] * 20, dtype=object)
    >>> found = regress(decided, np.ones(40, dtype=int), {}, {"class": classes})
    >>> round(found.factors[0].odds.value, 4), found.n, found.right
    (0.2857, 40, 18)
    """
    answered = (decided != MISSING) & (truth != MISSING)
    here = np.logical_and.reduce([answered, *(np.isfinite(column) for column in numbers.values())])
    right, own = (decided == truth)[here], sample.where(here)
    design, named = _design(
        {name: one[here] for name, one in numbers.items()}, {a: b[here] for a, b in classes.items()}
    )
    clusters = own.clusters if own.clusters is not None and len(np.unique(own.clusters)) < len(right) else None
    found = Regression((), len(right), int(right.sum()), left_out(answered, numbers, classes, here))
    if not numbers and not classes:
        return replace(found, undefined="no attribute is in it")
    why = _too_few(found.n, found.right, len(named)) or _too_few_groups(clusters)
    return replace(found, undefined=why) if why else _fitted(found, design, right, named, clusters)


def _design(numbers: Mapping[str, Floats], classes: Mapping[str, Texts]) -> tuple[Floats, list[tuple[str, str, str]]]:
    """One column a figure, and what it is of: attribute, value, and the value that it is beside."""
    columns: list[Floats] = []
    named: list[tuple[str, str, str]] = []
    for name, column in numbers.items():
        if len(column) and np.ptp(column) > 0:
            columns.append(column)
            named.append((name, "", ""))
    for name, texts in classes.items():
        cells, values = values_of(texts)
        for value in values[1:]:
            columns.append((cells == value).astype(np.float64))
            named.append((name, value, values[0]))
    return (np.column_stack(columns) if columns else np.zeros((0, 0))), named


def _too_few(n: int, correct: int, figures: int) -> str:
    if not figures:
        return "no attribute has two values here"
    least = min(correct, n - correct)
    if least < EVENTS * figures:
        side = "right" if correct <= n - correct else "wrong"
        return f"{least:,} of {n:,} items are {side}, too few for {figures} figures ({EVENTS} for each)"
    return ""


def _too_few_groups(clusters: Ints | None) -> str:
    few = clusters is not None and len(np.unique(clusters)) < FEWEST_GROUPS
    return f"the items are of fewer than {FEWEST_GROUPS} groups" if few else ""


def _fitted(
    found: Regression, design: Floats, right: NDArray[np.bool_], named: Named, clusters: Ints | None
) -> Regression:
    # Numbers with mean 0 and deviation 1 are fitted more surely; the odds are of one more all the same.
    scale = np.array(
        [column.std() if value == "" else 1.0 for column, (_, value, _) in zip(design.T, named, strict=True)]
    )
    centered = (design - design.mean(axis=0)) / scale
    if why := following(centered, named):
        return replace(found, undefined=why)
    fit = _fit(centered, right, clusters)
    if fit is None:
        return replace(found, undefined=separated(design, right, named) or NO_END)
    # Where odds have no end, some item's chance comes as near to certain as the fit goes on.
    if fit.nearest < CERTAIN and (why := separated(design, right, named)):
        return replace(found, undefined=why)
    groups = None if clusters is None else len(np.unique(clusters))
    together = inflation(centered, named)
    factors = [
        _factor(of, slope, error, one, together.get(of[0], ""), n=found.n, groups=groups)
        for of, slope, error, one in zip(named, fit.slopes, fit.errors, scale.tolist(), strict=True)
    ]
    note = "" if groups is None else f"standard errors of {groups:,} groups of items"
    return replace(found, factors=tuple(factors), note=note)


@dataclass(frozen=True, slots=True)
class _Fit:
    """`nearest` is the variance of the item whose chance is nearest to certain."""

    slopes: list[float]
    errors: list[float]
    nearest: float


def _fit(centered: Floats, right: NDArray[np.bool_], clusters: Ints | None) -> _Fit | None:
    """None where it does not come to an end."""
    # Here and not above: it brings pandas, which a web process that computes nothing does without.
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.tools.sm_exceptions import PerfectSeparationError

    how = (
        {}
        if clusters is None
        else {"cov_type": "cluster", "cov_kwds": {"groups": np.unique(clusters, return_inverse=True)[1]}}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = Logit(right.astype(np.float64), np.column_stack([np.ones(len(right)), centered]))
            found = model.fit(disp=False, maxiter=100, **how)
        except (PerfectSeparationError, np.linalg.LinAlgError):
            return None
        chances = np.asarray(found.predict())
    slopes, errors = np.asarray(found.params)[1:], np.asarray(found.bse)[1:]
    if not found.mle_retvals["converged"] or not np.isfinite(errors).all():
        return None
    return _Fit(slopes.tolist(), errors.tolist(), float((chances * (1 - chances)).min()))


def _factor(
    of: tuple[str, str, str], slope: float, error: float, scale: float, together: str, *, n: int, groups: int | None
) -> Factor:
    """`slope` and its `error` are of one `scale` more: of a number its standard deviation.

    Where one more would have an interval of more than three orders of magnitude and a deviation more has not, the
    figure is of that; where this has one too, there is none.
    """
    tails = norm if groups is None else t(groups - 1)
    reach = float(tails.ppf(0.975)) * error
    more, unit, parts = "" if of[1] else ONE_MORE, scale, [together]
    if 2 * reach / unit > WIDE >= 2 * reach:
        more, unit = f"{scale:.3g} more (a standard deviation)", 1.0
        parts.insert(0, f"the interval of {ONE_MORE} spans {_orders(reach / scale)}")
    if 2 * reach / unit > WIDE:
        why = "; ".join(filter(None, [f"its interval would span {_orders(reach / unit)}", together]))
        return Factor(*of, Estimate.none(f"the data do not determine it: {why}", n=n), None, more)
    if 2 * reach / unit > DOUBTFUL:
        parts.insert(0, f"the data hardly determine it: the interval spans {_orders(reach / unit)}")
    odds, low, high = (math.exp(min(700.0, at / unit)) for at in (slope, slope - reach, slope + reach))
    p = float(2 * tails.sf(abs(slope / error))) if error > 0 else None
    return Factor(*of, Estimate(odds, low, high, n=n, note="; ".join(filter(None, parts))), p, more)


def _orders(reach: float) -> str:
    return f"{2 * reach / math.log(10):,.1f} orders of magnitude"
