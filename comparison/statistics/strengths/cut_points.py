"""From a strength to the degrees of an ordered scale, by cut points that give each degree as often as labels do.

A probability has no mark on it where *less likely* ends. The cut points are set where as many strengths lie in each
degree as labels do (equipercentile linking: Angoff 1971; a monotone step function of the strength, as in McCullagh's
threshold model, 1980). They know how many items have each label, and nothing of which items those are: labels dealt
out over the items in any order give the same degrees, so that strengths that are noise agree with labels as often as
dealing gives, neither more nor less. Cut points that hit the most labels of other items do not have this: an item's
own label is then a little rarer among the others than it is, which draws noise below chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.strengths.correlation import ALIKE, are_alike
from corpus.errors import counted

# Below this, cut points say more about the items that happened to be labeled than about the model.
FEWEST_ITEMS = 20


@dataclass(frozen=True, slots=True)
class CutRow:
    """Where a degree begins."""

    value: str
    cut: float

    @property
    def words(self) -> str:
        if self.cut == np.inf:
            return "above every score"
        return "below every score" if self.cut == -np.inf else f"{self.cut:+.4g}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Cuts:
    """How degrees came about: set by `n` items with a strength and a label. `undefined` says why there are none.

    Each of `places` is the lowest strength of its degree: −∞ where all strengths reach the degree, ∞ where none does.
    """

    n: int
    places: tuple[float, ...] = ()
    undefined: str = ""

    @property
    def words(self) -> str:
        """What must stand beside every figure that rests on these degrees."""
        return f"labels by cut points, each as frequent as in the labels of {self.n:,} items"

    def rows(self, values: Sequence[str]) -> list[CutRow]:
        """Where each degree but the lowest begins; `values` are the degrees or their words, the lowest first."""
        return [CutRow(value, cut) for value, cut in zip(values[1:], self.places, strict=True)]


def marked(name: str, cuts: Cuts | None) -> str:
    """A run's name as it stands beside figures that rest on labels: degrees by cut points are not decisions."""
    return name if cuts is None or cuts.undefined else by_cut_points(name)


def by_cut_points(name: str) -> str:
    """The mark itself."""
    return f"{name} (labels by cut points)"


def labels_to_fit(truth: Ints, majority: Ints) -> Ints:
    """Whose shares cut points reproduce: an item's reference or, where it has none, its majority label."""
    return np.where(truth == MISSING, majority, truth)


def names_labels(decided: Ints) -> bool:
    """Whether a run itself names a label for any item."""
    return bool((decided != MISSING).any())


def decided_or_cut(decided: Ints, strengths: Floats, truth: Ints, *, degrees: int) -> tuple[Ints, Cuts | None]:
    """A run's own labels; of a run that gives strengths and names no label, its degrees, and how they came about."""
    if names_labels(decided) or not np.isfinite(strengths).any():
        return decided, None
    return cut(strengths, truth, degrees=degrees)


def cut(strengths: Floats, truth: Ints, *, degrees: int) -> tuple[Ints, Cuts]:
    """A degree for every item with a strength (MISSING for the rest), and the cut points that gave it.

    `truth` holds labels as codes, MISSING where there is none; such items are judged all the same.
    """
    nothing = np.full(len(strengths), MISSING, dtype=np.int64)
    rated = np.isfinite(strengths)
    known = rated & (truth != MISSING)
    n = int(known.sum())
    if reason := _too_little(strengths[known], truth[known]):
        return nothing, Cuts(n, undefined=reason)
    places = fit(strengths[known], np.bincount(truth[known], minlength=degrees))
    nothing[rated] = degree(strengths[rated], places)
    return nothing, Cuts(n, places)


def _too_little(strengths: Floats, labels: Ints) -> str:
    """Why nothing should be cut by these labels; empty if it may."""
    if len(labels) < FEWEST_ITEMS:
        have = f"{counted(len(labels), 'item')} {'has' if len(labels) == 1 else 'have'}"
        return f"{have} both a score and a label; cut points need {FEWEST_ITEMS}"
    if are_alike(strengths):
        return ALIKE
    if len(np.unique(labels)) == 1:
        return "all labels are the same, so fitted cut points would always be right"
    return ""


def degree(strengths: Floats, cuts: tuple[float, ...]) -> Ints:
    """The code of the highest degree whose cut the strength reaches.

    >>> degree(np.array([-1.0, 0.0, 2.5]), (0.0, 2.0))
    array([0, 1, 2])
    """
    return np.searchsorted(np.array(cuts), strengths, side="right").astype(np.int64)


def fit(strengths: Floats, counts: Ints) -> tuple[float, ...]:
    """The cut points below which as many strengths lie as labels do, `counts` being how many items have each.

    Equal strengths have equal degrees: a cut that would part them goes to the nearer side, of both as near the lower.
    A cut lies in the middle between two strengths.

    >>> fit(np.array([4.0, 1.0, 2.0, 3.0]), np.array([2, 1, 1]))
    (2.5, 3.5)
    """
    points, times = np.unique(strengths, return_counts=True)
    below = np.concatenate([[0], np.cumsum(times)])
    wanted = np.cumsum(counts)[:-1]
    return tuple(_between(points, int(np.abs(below - labels).argmin())) for labels in wanted)


def _between(points: Floats, bound: int) -> float:
    if bound == 0:
        return -np.inf
    if bound == len(points):
        return np.inf
    below, above = float(points[bound - 1]), float(points[bound])
    middle = below / 2 + above / 2
    # Between neighboring floating-point numbers there is no middle.
    return middle if below < middle <= above else above
