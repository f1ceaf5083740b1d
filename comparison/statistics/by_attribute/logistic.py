"""A plain logistic regression of being right on attributes (Cox 1958): no random effects, of items or of words.

Where items hang together, standard errors are those of groups (Liang and Zeger 1986), by Student's t for as many.
Figures are odds ratios: by how much the odds of being right are multiplied when a number is higher by one, or when an
attribute has this value and not the one that most items have.
"""

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from comparison.statistics.between_runs.mcnemar import p_in_words
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.values import values_of

Texts = NDArray[np.object_]
# Of each outcome there must be so many items for every figure (Vittinghoff and McCulloch 2007).
EVENTS = 5
FEWEST_GROUPS = 10
# With such odds a value has everything right, or nothing.
RUNAWAY = math.log(1e4)
FOLLOWS = "what these say follows from the other attributes here, so leave one out: {}"
SEPARATED = "some value has everything right or everything wrong, so that its odds have no end"


@dataclass(frozen=True, slots=True)
class Factor:
    """What `odds` is of: of a number, one more of it; of a value, it and not the value `beside`."""

    attribute: str
    value: str
    beside: str
    odds: Estimate
    p: float | None

    @property
    def p_words(self) -> str:
        return "" if self.p is None else p_in_words(self.p)


@dataclass(frozen=True, slots=True)
class Regression:
    """Of `n` items, `right` of them right. `undefined` says why nothing was fitted; `note`, whose errors these are."""

    factors: tuple[Factor, ...]
    n: int
    right: int
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
    here = (decided != MISSING) & (truth != MISSING)
    for column in numbers.values():
        here &= np.isfinite(column)
    right, own = (decided == truth)[here], sample.where(here)
    design, named = _design(
        {name: one[here] for name, one in numbers.items()}, {a: b[here] for a, b in classes.items()}
    )
    clusters = own.clusters if own.clusters is not None and len(np.unique(own.clusters)) < len(right) else None
    n, correct = len(right), int(right.sum())
    why = _too_few(n, correct, len(named)) or _too_few_groups(clusters)
    return Regression((), n, correct, undefined=why) if why else _fitted(design, right, named, clusters)


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
    design: Floats, right: NDArray[np.bool_], named: list[tuple[str, str, str]], clusters: Ints | None
) -> Regression:
    # Here and not above: it brings pandas, which a web process that computes nothing does without.
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.tools.sm_exceptions import PerfectSeparationError

    n, correct = len(right), int(right.sum())
    # Numbers with mean 0 and deviation 1 are fitted more surely; the odds are of one more all the same.
    scale = np.array(
        [column.std() if value == "" else 1.0 for column, (_, value, _) in zip(design.T, named, strict=True)]
    )
    centered = (design - design.mean(axis=0)) / scale
    how = (
        {}
        if clusters is None
        else {"cov_type": "cluster", "cov_kwds": {"groups": np.unique(clusters, return_inverse=True)[1]}}
    )
    if why := _following(centered, named):
        return Regression((), n, correct, undefined=why)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = Logit(right.astype(np.float64), np.column_stack([np.ones(n), centered]))
            found = model.fit(disp=False, maxiter=100, **how)
        except (PerfectSeparationError, np.linalg.LinAlgError):
            return Regression((), n, correct, undefined=SEPARATED)
    slopes, errors = np.asarray(found.params)[1:], np.asarray(found.bse)[1:]
    if not found.mle_retvals["converged"] or not np.isfinite(errors).all() or (np.abs(slopes) > RUNAWAY).any():
        return Regression((), n, correct, undefined=SEPARATED)
    groups = None if clusters is None else len(np.unique(clusters))
    factors = [
        _factor(of, slope / one, error / one, n, groups)
        for of, slope, error, one in zip(named, slopes.tolist(), errors.tolist(), scale.tolist(), strict=True)
    ]
    note = "" if groups is None else f"standard errors of {groups:,} groups of items"
    return Regression(tuple(factors), n, correct, note=note)


def _following(centered: Floats, named: list[tuple[str, str, str]]) -> str:
    """Which attributes are a sum of the others, such as an intensity beside the adverb that has it."""
    rank = np.linalg.matrix_rank(centered)
    if rank == centered.shape[1]:
        return ""
    attributes = dict.fromkeys(name for name, _, _ in named)
    columns = {one: np.array([name == one for name, _, _ in named]) for one in attributes}
    found = [one for one, own in columns.items() if np.linalg.matrix_rank(centered[:, ~own]) == rank]
    return FOLLOWS.format(", ".join(found or attributes))


def _factor(of: tuple[str, str, str], slope: float, error: float, n: int, groups: int | None) -> Factor:
    tails = norm if groups is None else t(groups - 1)
    reach = float(tails.ppf(0.975)) * error
    ends = [math.exp(min(700.0, at)) for at in (slope, slope - reach, slope + reach)]
    p = float(2 * tails.sf(abs(slope / error))) if error > 0 else None
    return Factor(*of, Estimate(ends[0], ends[1], ends[2], n=n), p)
