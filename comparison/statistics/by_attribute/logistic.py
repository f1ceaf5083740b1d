"""A plain logistic regression of being right on attributes (Cox 1958): no random effects, of items or of words.

Where items hang together, standard errors are those of groups (Liang and Zeger 1986), by Student's t for as many.
Figures are odds ratios: by how much the odds of being right are multiplied when a number is higher by one, or when an
attribute has this value and not the one that most items have. A figure that the data do not determine is undefined,
and says why; the items that the model goes without are counted, and what goes with them.
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics.counts import MISSING, WITHOUT, Floats, Ints, values_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import p_in_words
from comparison.statistics.resampling.sample import ITEMS, Sample
from corpus.errors import counted

Texts = NDArray[np.object_]
UNDECIDED = "an answer or a label"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`items` of all `of` are not in the model; `lacking` says how many lack what, and an item may lack several things.

    `gone` are values that no item in the model has, with their attributes; `alike`, the attributes that say the same
    of all items in the model, and so have no figure.
    """

    items: int
    of: int
    lacking: tuple[tuple[str, int], ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    alike: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """
        >>> LeftOut(5, 9, (("socal", 1), ("vader", 4)), (("class", "temporal"),)).words
        '5 of 9 items are left out: 1 lacks socal, 4 lack vader; no items are left with class: temporal'
        """
        why = ", ".join(f"{items:,} {'lacks' if items == 1 else 'lack'} {what}" for what, items in self.lacking)
        several = " (some lack several)" if sum(items for _, items in self.lacking) > self.items else ""
        gone = ", ".join(f"{name}: {value}" for name, value in self.gone)
        out = f"{self.items:,} of {counted(self.of, 'item')} {'is' if self.items == 1 else 'are'} left out"
        parts = [
            f"{out}: {why}{several}" if self.items else "",
            f"no items are left with {gone}" if gone else "",
            f"no estimate, because all items have the same value: {', '.join(self.alike)}" if self.alike else "",
        ]
        return "; ".join(part for part in parts if part)


def left_out(
    answered: NDArray[np.bool_], numbers: Mapping[str, Floats], classes: Mapping[str, Texts], here: NDArray[np.bool_]
) -> LeftOut:
    """Of the items that are not `here`: an item is, that is `answered` and has every one of the numbers."""
    lacking = {UNDECIDED: ~answered, **{name: ~np.isfinite(column) for name, column in numbers.items()}}
    values = {name: (set(column), set(column[here])) for name, column in classes.items()}
    alike = [name for name, column in numbers.items() if here.any() and np.ptp(column[here]) == 0]
    return LeftOut(
        items=int((~here).sum()),
        of=len(here),
        lacking=tuple((what, int(items.sum())) for what, items in lacking.items() if items.any()),
        gone=tuple((name, one or WITHOUT) for name, (every, left) in values.items() for one in sorted(every - left)),
        alike=(*alike, *(name for name, (_, left) in values.items() if len(left) == 1)),
    )


# Of each column of a design: attribute, value ("" of a number), and the value that it is beside.
Named = Sequence[tuple[str, str, str]]
FOLLOWS = "these are determined by the other attributes, so remove one: {}"
SEPARATED = "perfect separation, so odds are infinite: {}"
NO_END = "the fit did not converge"
# A larger factor is usually held to be too large (Marquardt 1970).
INFLATED = 10.0
# An interval of more than two orders of magnitude has a word beside it; one of more than three says nothing of odds.
DOUBTFUL, WIDE = math.log(100), math.log(1000)
# What is nearer than this to certain may have been driven there without end.
CERTAIN = 1e-6
# A direction has a length of 1 at most; less than this is the solver's own inexactness.
NO_DIRECTION = 1e-4


def following(centered: Floats, named: Named) -> str:
    """Which attributes are a sum of the others, such as an intensity beside the adverb that has it."""
    rank = np.linalg.matrix_rank(centered)
    if rank == centered.shape[1]:
        return ""
    attributes = dict.fromkeys(name for name, _, _ in named)
    found = [one for one in attributes if np.linalg.matrix_rank(centered[:, ~_own(named, [one])]) == rank]
    return FOLLOWS.format(", ".join(found or attributes))


def separated(design: Floats, right: NDArray[np.bool_], named: Named) -> str:
    """What tells right from wrong without a mistake, on all items or on some (Albert and Anderson 1984): values that
    have everything right or wrong, else attributes of which none can be left out.

    Odds then grow without end: a linear program (Konis 2007) looks for a direction in which no item gets less probable.

    >>> right = np.array([True] * 6 + [False, True] * 3)
    >>> separated(np.repeat([[1.0], [0.0]], 6, axis=0), right, [("kind", "strong", "weak")])
    'perfect separation, so odds are infinite: all 6 items with kind: strong are right'
    """
    attributes = list(dict.fromkeys(name for name, _, _ in named))
    if one_sided := [words for name in attributes for words in _one_sided(design, right, named, name)]:
        return SEPARATED.format("; ".join(one_sided))
    # Deviations of 1: a number on a small scale has a direction as long as the others'.
    centered = (design - design.mean(axis=0)) / design.std(axis=0)
    if not _is_separated(centered, right):
        return ""
    for one in tuple(attributes):
        fewer = [other for other in attributes if other != one]
        if fewer and _is_separated(centered[:, _own(named, fewer)], right):
            attributes = fewer
    return SEPARATED.format(f"right and wrong items are separated by {' and '.join(attributes)}")


def _is_separated(centered: Floats, right: NDArray[np.bool_]) -> bool:
    rows = np.column_stack([np.ones(len(right)), centered]) * np.where(right, 1.0, -1.0)[:, None]
    rows = np.unique(rows, axis=0)
    found = sp.optimize.linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    return bool(found.success and (rows @ found.x).max() > NO_DIRECTION)


def _one_sided(design: Floats, right: NDArray[np.bool_], named: Named, name: str) -> list[str]:
    """The values of an attribute that have everything right, or everything wrong."""
    own = {value: design[:, place] > 0 for place, (of, value, _) in enumerate(named) if of == name and value}
    if not own:
        return []
    beside = next(beside for of, _, beside in named if of == name)
    own[beside] = ~np.any(list(own.values()), axis=0)
    found = {value: right[items] for value, items in own.items()}
    return [
        f"all {len(one):,} items with {name}: {value} are {'right' if one.all() else 'wrong'}"
        for value, one in found.items()
        if one.all() or not one.any()
    ]


def inflation(centered: Floats, named: Named) -> dict[str, str]:
    """Of the attributes that nearly follow from others: from which, and how much wider their intervals are for it.

    The variance inflation factor is that of an attribute as a whole (Fox and Monette 1992): of all its columns, to the
    power of one by their number, which for a number is the usual 1 / (1 - R²).

    >>> one = np.tile([-1.0, 1.0, 0.0, 0.0], 5)
    >>> other, third = one + np.repeat([-0.1, 0.1], 10), np.tile([-1.0, 1.0], 10)
    >>> inflation(np.column_stack([one, other]), [("one", "", ""), ("other", "", "")])["one"]
    'correlated with other: variance inflation factor 51'
    >>> inflation(np.column_stack([one, third]), [("one", "", ""), ("third", "", "")])
    {}
    """
    attributes = list(dict.fromkeys(name for name, _, _ in named))
    found = {}
    for one in attributes:
        others = [other for other in attributes if other != one]
        factor = _inflation(centered, named, one, others)
        if factor <= INFLATED:
            continue
        for other in tuple(others):
            fewer = [another for another in others if another != other]
            if _inflation(centered, named, one, fewer) > INFLATED:
                others = fewer
        found[one] = f"correlated with {', '.join(others)}: variance inflation factor {factor:,.0f}"
    return found


def _inflation(centered: Floats, named: Named, one: str, others: Sequence[str]) -> float:
    if not others:
        return 1.0
    own, rest = _own(named, [one]), _own(named, others)
    logs = [_log_determinant(centered[:, columns]) for columns in (own, rest, own | rest)]
    return math.exp((logs[0] + logs[1] - logs[2]) / own.sum())


def _log_determinant(columns: Floats) -> float:
    return float(np.linalg.slogdet(np.atleast_2d(np.corrcoef(columns, rowvar=False)))[1])


def _own(named: Named, attributes: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([name in attributes for name, _, _ in named])


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
        return replace(found, undefined="the model has no attribute")
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
        return f"{least:,} of {n:,} items are {side}, too few for {counted(figures, 'coefficient')} ({EVENTS} each)"
    return ""


def _too_few_groups(clusters: Ints | None) -> str:
    few = clusters is not None and len(np.unique(clusters)) < FEWEST_GROUPS
    return f"fewer than {FEWEST_GROUPS} groups of items" if few else ""


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
    note = "" if groups is None else f"standard errors clustered by {groups:,} groups of items"
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
    tails = sp.stats.norm if groups is None else sp.stats.t(groups - 1)
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
