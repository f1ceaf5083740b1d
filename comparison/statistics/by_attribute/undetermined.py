"""Which odds the data of a logistic regression do not determine, and why not, in words."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from comparison.statistics.counts import Floats

# Of each column of a design: attribute, value ("" of a number), and the value that it is beside.
Named = Sequence[tuple[str, str, str]]
FOLLOWS = "what these say follows from the other attributes here, so leave one out: {}"
SEPARATED = "perfect separation, so that odds have no end: {}"
NO_END = "the fit came to no end"
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
    'perfect separation, so that odds have no end: kind: strong has all 6 items right'
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
    return SEPARATED.format(f"right and wrong items lie apart by {' and '.join(attributes)}")


def _is_separated(centered: Floats, right: NDArray[np.bool_]) -> bool:
    rows = np.column_stack([np.ones(len(right)), centered]) * np.where(right, 1.0, -1.0)[:, None]
    rows = np.unique(rows, axis=0)
    found = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
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
        f"{name}: {value} has all {len(one):,} items {'right' if one.all() else 'wrong'}"
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
    'it goes with other: variance inflation factor 51'
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
        found[one] = f"it goes with {', '.join(others)}: variance inflation factor {factor:,.0f}"
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
