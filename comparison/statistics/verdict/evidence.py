"""What a verdict is given on: people's labels, references, and what each run said, item by item or as patterns."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.aggregation import majority, settled
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.cut_points import by_cut_points, names_labels
from comparison.statistics.verdict.measure import ACCURACY, RANKED, RHO, Measure, measure_of

MAJORITY, REFERENCE = "majority", "reference"
NO_NUMBERS = np.zeros(0)
NO_DECISIONS = np.zeros(0, dtype=np.int64)
NO_STRENGTHS = Estimate.none("it gives no scores")


@dataclass(frozen=True, kw_only=True, eq=False)
class Entrant:
    """One run: `decided` holds its labels as codes, shape (rows,), MISSING where it has none.

    `how`, of a run that names no label itself: how its degrees came about; `strength` is ρ of its strength, if it has
    one.
    `scores` are what ratings are compared with by ρ: its strengths or, where it has none, its labels; NaN where none.
    `model` is the one that answered: several runs may be of one.
    """

    run: int
    name: str
    is_baseline: bool
    decided: Ints
    is_live: bool = False
    how: str = ""
    strength: Estimate = NO_STRENGTHS
    scores: Floats = field(default_factory=lambda: NO_NUMBERS)
    model: str = ""

    @property
    def title(self) -> str:
        """Its name beside figures that rest on labels: degrees by cut points are no decisions."""
        return by_cut_points(self.name) if self.how else self.name

    @property
    def names_labels(self) -> bool:
        """Itself, and not by cut points."""
        return not self.how and names_labels(self.decided)


@dataclass(frozen=True, slots=True, eq=False)
class Voices:
    """Labels one by one: the row of the item (or its pattern), the number of the one who gave it (a place in `names`,
    where those are known), and its code.
    """

    rows: Ints
    raters: Ints
    labels: Ints
    names: tuple[str, ...] = ()

    def where(self, mask: NDArray[np.bool_]) -> "Voices":
        """The labels on these rows alone, numbered anew.

        >>> whole = Voices(np.array([0, 1, 2]), np.array([0, 1, 0]), np.array([1, 1, 0]))
        >>> part = whole.where(np.array([False, True, True]))
        >>> part.rows.tolist(), part.raters.tolist(), part.labels.tolist()
        ([0, 1], [1, 0], [1, 0])
        """
        own, places = mask[self.rows], np.cumsum(mask) - 1
        return replace(self.of(own), rows=places[self.rows[own]])

    def of(self, those: NDArray[np.bool_]) -> "Voices":
        """Those labels alone."""
        return replace(self, rows=self.rows[those], raters=self.raters[those], labels=self.labels[those])


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """`counts` are people's labels, shape (rows, values), and `truth` references as codes, shape (rows,).

    `against` is MAJORITY or REFERENCE, or empty for the rule's own choice. `words` are those of the scale, `people` and
    `annotators` those for who labeled, `rated` for what scores are compared with. `one_role`: `is_one_role`, of all
    of the study. `sample`: how rows stand for items. `voices`: the labels of `counts` one by one, if they are known.
    `share_in`: of the labels that are wanted, while they come in; 1 where no more are.
    `decisions`: what was decided of items without a majority, as codes, where that is to count as the truth.
    `ratings`: by ρ, what scores are compared with, NaN where there is none; `target` names it. `repeated`: how many
    items have the same text as another, where none is of a group.
    """

    counts: Ints
    truth: Ints
    words: tuple[str, ...]
    ordered: bool
    entrants: tuple[Entrant, ...]
    against: str = ""
    measure: str = ACCURACY
    people: str = "people"
    annotators: str = "annotators"
    one_role: bool = False
    rated: str = "people’s labels"
    target: str = MAJORITY
    share_in: float = 1.0
    sample: Sample = field(default=ITEMS)
    voices: Voices | None = None
    ratings: Floats = field(default_factory=lambda: NO_NUMBERS)
    repeated: int = 0
    decisions: Ints = field(default_factory=lambda: NO_DECISIONS)

    @property
    def always_right(self) -> str:
        """Of items with one role that is right."""
        right = self.truth[self.truth != MISSING]
        return f"“{self.words[right[0]]}” is right in every item" if len(right) else "the same option is always right"

    @property
    def majority(self) -> Ints:
        """What runs are compared with where that is people's majority; decisions stand in for it where they count."""
        return settled(self.counts, self.decisions) if len(self.decisions) else majority(self.counts)

    @property
    def values(self) -> int:
        return len(self.words)

    @property
    def annotator(self) -> str:
        return self.annotators.removesuffix("s")

    @property
    def is_averaged(self) -> bool:
        """Whether labels are ratings that are averaged: two people seldom give the very same of many points."""
        return self.measure == RHO and self.ordered

    @property
    def by(self) -> Measure:
        return RANKED if self.measure == RHO else measure_of(self.measure, ordered=self.ordered)


def is_one_role(truth: Ints, *, of_roles: bool) -> bool:
    """Whether labels are roles of each item's own options, and the same role is right for all items of a study.

    Such as “plausible” of a plausible and an implausible sentence: the role is then the answer itself, which nobody can
    give to every item without knowing it. No constant label is a bar, and no label is favored.

    >>> is_one_role(np.array([0, 0, MISSING]), of_roles=True), is_one_role(np.array([0, 0, 0]), of_roles=False)
    (True, False)
    """
    return of_roles and len(np.unique(truth[truth != MISSING])) == 1


def held_against(counts: Ints, truth: Ints) -> str:
    """People's majority, or the references where people have none: nothing is labeled, or no item twice.

    >>> held_against(np.array([[1, 0], [0, 1]]), np.array([0, 1]))
    'reference'
    """
    has_majority = bool((majority(counts) != MISSING).any())
    return MAJORITY if has_majority or not (truth != MISSING).any() else REFERENCE


def as_patterns(evidence: Evidence) -> Evidence:
    """The evidence with equal rows merged into one with a weight; unchanged where items form clusters, and for ρ.

    >>> one = Entrant(run=1, name="m", is_baseline=False, decided=np.array([0, 1, 0]))
    >>> counts = np.array([[2, 0], [0, 2], [2, 0]])
    >>> found = as_patterns(Evidence(counts=counts, truth=np.zeros(3, dtype=int), words=("a", "b"), ordered=False,
    ...     entrants=(one,)))
    >>> found.counts.tolist(), found.sample.weights.tolist()
    ([[2, 0], [0, 2]], [2, 1])
    """
    if evidence.measure == RHO or evidence.sample.clusters is not None or not len(evidence.counts):
        return evidence
    decisions = [evidence.decisions] if len(evidence.decisions) else []
    columns = [*evidence.counts.T, evidence.truth, *decisions, *(one.decided for one in evidence.entrants)]
    place, first = _alike(columns)
    weights = np.bincount(place, weights=evidence.sample.weights, minlength=len(first)).astype(np.int64)
    return replace(
        evidence,
        counts=evidence.counts[first],
        truth=evidence.truth[first],
        decisions=evidence.decisions[first] if decisions else evidence.decisions,
        entrants=tuple(replace(one, decided=one.decided[first]) for one in evidence.entrants),
        sample=Sample(weights=weights),
        voices=evidence.voices and replace(evidence.voices, rows=place[evidence.voices.rows]),
    )


def _alike(columns: list[Ints]) -> tuple[Ints, Ints]:
    """The number of each row's pattern, patterns in the order of first sight, and where each is seen first.

    Column by column, so that numbers stay small: sorting whole rows of 200,000 items takes seconds.
    """
    place = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        shifted = column - column.min()
        place = np.unique(place * (int(shifted.max()) + 1) + shifted, return_inverse=True)[1]
    _, first, place = np.unique(place, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    return np.argsort(order, kind="stable")[place], first[order]
