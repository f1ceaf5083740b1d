"""From a strength to the degrees of an ordered scale, by cut points fitted to the labels of other items.

A probability has no mark on it where *less likely* ends. The cut points are set where they would agree with the
labels most often (a monotone step function of the strength: a threshold model, as in McCullagh 1980, fitted by
counting instead of by likelihood), and each item is judged by cut points that neither it nor any item of its group
helped to set (cross-fitting: Stone 1974, J. R. Stat. Soc. B 36: 111–147).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import counted
from comparison.statistics.resampling.folds import Folds

# Below this, cut points say more about the items that happened to be labeled than about the model.
FEWEST_ITEMS, FEWEST_GROUPS = 20, 5


@dataclass(frozen=True, slots=True)
class Fold:
    """The items of a fold were `judged` by these cut points, which were fitted to `fitted` other items."""

    judged: int
    fitted: int
    cuts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CutRow:
    """Where a degree begins: the lowest and the highest cut over the folds."""

    value: str
    low: float
    high: float

    @property
    def words(self) -> str:
        return _place(self.low) if self.low == self.high else f"{_place(self.low)} to {_place(self.high)}"


@dataclass(frozen=True, slots=True)
class Cuts:
    """How degrees came about: fitted to `n` items with a strength and a label. `undefined` says why there are none.

    A cut is the lowest strength of its degree: −∞ where every strength reaches the degree, ∞ where none does.
    """

    n: int
    how: str = ""
    folds: tuple[Fold, ...] = ()
    undefined: str = ""

    @property
    def words(self) -> str:
        """What must stand beside every figure that rests on these degrees."""
        return f"degrees by cross-fitted cut points, {self.n:,} items, {self.how}"

    def rows(self, values: Sequence[str]) -> list[CutRow]:
        """Where each degree but the lowest begins; `values` are the degrees or their words, the lowest first."""
        places = zip(*(fold.cuts for fold in self.folds), strict=True)
        return [CutRow(value, min(cuts), max(cuts)) for value, cuts in zip(values[1:], places, strict=True)]


def marked(name: str, cuts: Cuts | None) -> str:
    """A run's name as it stands beside figures that rest on labels: degrees by cut points are not decisions."""
    return name if cuts is None or cuts.undefined else by_cut_points(name)


def by_cut_points(name: str) -> str:
    """The mark itself."""
    return f"{name} (degrees by cut points)"


def _place(cut: float) -> str:
    if cut == np.inf:
        return "above every strength"
    return "below every strength" if cut == -np.inf else f"{cut:+.4g}".replace("-", "−")


def labels_to_fit(truth: Ints, majority: Ints) -> Ints:
    """What cut points are fitted to: an item's reference or, where it has none, its majority label."""
    return np.where(truth == MISSING, majority, truth)


def names_labels(decided: Ints) -> bool:
    """Whether a run itself names a label for any item."""
    return bool((decided != MISSING).any())


def decided_or_cut(
    decided: Ints, strengths: Floats, truth: Ints, drawn: Folds, *, degrees: int
) -> tuple[Ints, Cuts | None]:
    """A run's own labels; of a run that gives strengths and names no label, its degrees, and how they came about."""
    if names_labels(decided) or not np.isfinite(strengths).any():
        return decided, None
    return cross_fitted(strengths, truth, drawn, degrees=degrees)


def cross_fitted(strengths: Floats, truth: Ints, drawn: Folds, *, degrees: int) -> tuple[Ints, Cuts]:
    """A degree for every item with a strength (MISSING for the rest), and the cut points that gave it.

    `truth` holds the labels to fit to as codes, MISSING where there is none; such items are judged all the same.
    """
    nothing = np.full(len(strengths), MISSING, dtype=np.int64)
    rated = np.isfinite(strengths)
    known = rated & (truth != MISSING)
    reason = _too_little(truth[known], drawn.of_items[known], groups=drawn.groups)
    n = int(known.sum())
    if reason:
        return nothing, Cuts(n, undefined=reason)
    decided, found = nothing, []
    for fold in np.unique(drawn.of_items[rated]):
        inside = drawn.of_items == fold
        others, own = known & ~inside, rated & inside
        if not others.any():
            continue  # nothing to learn from: these items stay without a degree
        cuts = fit(strengths[others], truth[others], degrees=degrees)
        decided[own] = degree(strengths[own], cuts)
        found.append(Fold(int(own.sum()), int(others.sum()), cuts))
    return decided, Cuts(n, drawn.words, tuple(found))


def _too_little(labels: Ints, drawn: Ints, *, groups: int) -> str:
    """Why nothing should be fitted to these labels; empty if it may."""
    if len(labels) < FEWEST_ITEMS:
        have = f"{counted(len(labels), 'item')} {'has' if len(labels) == 1 else 'have'}"
        return f"{have} both a strength and a label; cut points need {FEWEST_ITEMS}"
    if min(groups, len(np.unique(drawn))) < FEWEST_GROUPS:
        return f"the items with a label are of fewer than {FEWEST_GROUPS} groups, and a group is judged by the others"
    if len(np.unique(labels)) == 1:
        return "every label is the same, so that any degrees fitted to them would be right by construction"
    return ""


def degree(strengths: Floats, cuts: tuple[float, ...]) -> Ints:
    """The code of the highest degree whose cut the strength reaches.

    >>> degree(np.array([-1.0, 0.0, 2.5]), (0.0, 2.0))
    array([0, 1, 2])
    """
    return np.searchsorted(np.array(cuts), strengths, side="right").astype(np.int64)


def fit(strengths: Floats, labels: Ints, *, degrees: int) -> tuple[float, ...]:
    """The cut points that give the most items their label, exactly; equal strengths have equal degrees.

    Of those that give equally many, the ones whose degrees lie nearest to the labels in sum; of those, the lowest
    (there is one set in which every cut is as low as it can be). A cut lies in the middle between two strengths.

    >>> fit(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 2]), degrees=3)
    (2.5, 3.5)
    """
    points, place = np.unique(strengths, return_inverse=True)
    counts = np.bincount(place * degrees + labels, minlength=len(points) * degrees).reshape(-1, degrees)
    codes = np.arange(degrees)
    apart = np.abs(codes[:, None] - codes)
    # A label hit outweighs every distance that there can be in sum.
    worth = counts @ np.where(apart == 0, len(labels) * degrees, -apart)
    bounds = _bounds(worth)
    return tuple(_between(points, bound) for bound in bounds)


def _bounds(worth: Ints) -> list[int]:
    """Where each degree from the second up begins, by dynamic programming in as many steps as `worth` has cells.

    `worth` has shape (points, degrees), points in ascending order: what a point is worth at a degree.
    """
    size, degrees = worth.shape
    sums = np.vstack([np.zeros((1, degrees), dtype=np.int64), np.cumsum(worth, axis=0)])
    best, begins = sums[:, 0], []
    for code in range(1, degrees):
        # What the points below `i` are worth at lower degrees, if this degree begins at `i`.
        lead = best - sums[:, code]
        top = np.maximum.accumulate(lead)
        rises = np.concatenate([[True], lead[1:] > top[:-1]])
        begins.append(np.maximum.accumulate(np.where(rises, np.arange(size + 1), 0)))
        best = sums[:, code] + top
    bounds, end = [], size
    for begin in reversed(begins):
        end = int(begin[end])
        bounds.append(end)
    return bounds[::-1]


def _between(points: Floats, bound: int) -> float:
    if bound == 0:
        return -np.inf
    if bound == len(points):
        return np.inf
    below, above = float(points[bound - 1]), float(points[bound])
    middle = below / 2 + above / 2
    # Between neighboring floating-point numbers there is no middle.
    return middle if below < middle <= above else above
