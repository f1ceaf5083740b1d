"""Shares and means by people on some items and a run on all (prediction-powered inference, power-tuned).

Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023 (Science 382: 669–674) and, for the tuning λ,
Angelopoulos, Duchi and Zrnic 2023 ("PPI++", arXiv 2311.01453). For the items of this study that people have not
labeled: the difference estimator of survey sampling (Särndal, Swensson and Wretman 1992, chapter 6).

With people's number y and the run's number f on n labeled items, and the run's g on N more:

    mean of λg  +  mean of (y − λf)

The second part takes out whatever the run gets wrong, on average, so the interval holds however bad the run is; a run
that says nothing gets λ = 0, and people alone are left. It holds on two conditions, which no figure can show: the
labeled items are a random part of all, and the run has not learned from these labels.

Written here because `ppi-python` 0.2.3 asks for numba and gdown for what is a few lines; the test holds this to the
numbers that it gives.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from comparison.statistics import tails
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate

# What the mean is of: the N items without labels themselves, or all items of which these are a sample.
Of = Literal["rest", "alike"]

# With fewer labeled items (or groups of them) the normal interval is too sure.
ENOUGH = 20
UNSEEN = 2
FEW = "fewer than {enough} labeled {units}"


@dataclass(frozen=True, slots=True)
class Powered:
    """One mean by people alone and with the run's help; `tuning` is λ, from 0 (the run says nothing) upward.

    `worth` is how many times as many labeled items people alone would need for an interval as narrow.
    """

    alone: Estimate
    helped: Estimate
    tuning: float
    worth: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """People's numbers and the run's on the labeled items, shape (n, m), and the run's on the others, (N, m).

    `clusters` and `other_clusters` are codes of what is not independent, (n,) and (N,); None: every item by itself.
    """

    said: Floats
    guessed: Floats
    elsewhere: Floats
    clusters: Ints | None = None
    other_clusters: Ints | None = None


def powered(
    answers: Answers, *, of: Of = "rest", together: bool = True, bounds: tuple[float, float] = (0.0, 1.0)
) -> tuple[Powered, ...]:
    """One `Powered` a column. `together`: one λ in [0, 1] for all columns, so that shares still sum to 1.

    Otherwise each column has its own λ, of any size: for a run whose numbers are in another unit than people's.
    `bounds` are the ends that the mean can have.

    A run that is right on all but one of 40 labeled items, and has 1,000 more:

    >>> said, guessed = np.repeat([[1.0], [0.0]], 20, axis=0), np.repeat([[1.0], [0.0]], [19, 21], axis=0)
    >>> found, = powered(Answers(said=said, guessed=guessed, elsewhere=np.repeat([[1.0], [0.0]], [300, 700], axis=0)))
    >>> found.alone.short, found.helped.short, round(found.tuning, 2)
    ('.50 [.32, .68]', '.33 [.23, .42]', 1.0)
    """
    n, rest = len(answers.said), len(answers.elsewhere)
    tuning = _tuning(answers, of=of, together=together)
    units = n if answers.clusters is None else len(np.unique(answers.clusters))
    few = units < ENOUGH or not rest
    by_column = []
    for column, size in enumerate(tuning):
        alone, own = _mean(answers, column, 0.0, of)
        helped, better = _mean(answers, column, float(size), of)
        if few:
            reason = "every item is labeled" if not rest else _few(grouped=answers.clusters is not None)
            estimates = [Estimate(_within(value, bounds), n=n, no_interval=reason) for value in (alone, helped)]
            by_column.append(Powered(estimates[0], estimates[1], float(size), None))
            continue
        reach = float(tails.t_of(0.025, units - 1))
        ends = [_estimate(value, reach * wide, n, bounds) for value, wide in ((alone, own), (helped, better))]
        by_column.append(Powered(ends[0], ends[1], float(size), (own / better) ** 2))
    return tuple(by_column)


def _few(*, grouped: bool) -> str:
    return FEW.format(enough=ENOUGH, units="groups of items" if grouped else "items")


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _estimate(value: float, reach: float, n: int, bounds: tuple[float, float]) -> Estimate:
    low, high = _within(value - reach, bounds), _within(value + reach, bounds)
    return Estimate(_within(value, bounds), low, high, n=n)


def _tuning(answers: Answers, *, of: Of, together: bool) -> Floats:
    """λ of each column: the one that makes the variance least, from the data (PPI++, section 6; as ppi-python has it).

    For the rest of the items themselves it is the slope of y on f, without the factor 1 + n/N.
    """
    labels, guessed, rest = answers.said, answers.guessed, answers.elsewhere
    n = len(labels)
    if not len(rest):
        return np.zeros(labels.shape[1])
    shared = ((labels - labels.mean(axis=0)) * (guessed - guessed.mean(axis=0))).mean(axis=0)
    spread = np.concatenate([guessed, rest]).var(axis=0, ddof=1)
    if of == "alike":
        spread = spread * (1 + n / len(rest))
    if together:
        total = float(spread.sum())
        return np.full(labels.shape[1], np.clip(shared.sum() / total, 0, 1) if total > 0 else 0.0)
    return np.asarray(np.divide(shared, spread, out=np.zeros_like(shared), where=spread > 0))


def _mean(answers: Answers, column: int, tuning: float, of: Of) -> tuple[float, float]:
    """The mean and its standard error."""
    residuals = answers.said[:, column] - tuning * answers.guessed[:, column]
    rest = tuning * answers.elsewhere[:, column]
    if not len(rest):
        return float(residuals.mean()), 0.0
    n, more = len(residuals), len(rest)
    own = (residuals - residuals.mean()) / n
    if of == "rest":
        # What people would say on the rest differs from λg there by as much as it does on the labeled items.
        spread = _of_sum(own, answers.clusters, n) * (1 + n / more)
    elif answers.clusters is None or answers.other_clusters is None:
        spread = _of_sum(own, None, n) + float(((rest - rest.mean()) ** 2).sum()) / more**2
    else:
        both = np.concatenate([own, (rest - rest.mean()) / more])
        groups = np.concatenate([answers.clusters, answers.other_clusters])
        spread = max(_of_sum(both, groups, n), _of_sum(own, answers.clusters, n))
    return float(residuals.mean() + rest.mean()), float(np.sqrt(spread))


def _of_sum(parts: Floats, groups: Ints | None, n: int) -> float:
    """The variance of a sum of items' parts, groups drawn whole.

    Two more labeled items (or groups), one surprise in either direction, stand in for what n could not show, as Agresti
    and Coull (1998) do for a share: with none of 100 wrong, up to 3 % may be; an interval of no width would deny it.
    One alone shows nothing of how they vary.
    """
    if groups is None:
        if n == 1:
            return np.inf
        return float((parts**2).sum() + UNSEEN / n**2) * n / (n - 1)
    places = np.unique(groups, return_inverse=True)[1]
    sums, sizes = np.bincount(places, weights=parts), np.bincount(places[:n]) / n
    if len(sums) == 1:
        return np.inf
    return float((sums**2).sum() + UNSEEN * (sizes**2).mean()) * len(sums) / (len(sums) - 1)
