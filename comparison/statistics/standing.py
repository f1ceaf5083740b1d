"""Where a study stands, in three answers: how far, do people agree, which model is nearest. Free of Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.tasktypes.contract import Scale
from comparison.statistics.accuracy import accuracy
from comparison.statistics.aggregation import majority, no_majority
from comparison.statistics.agreement import Level, krippendorff_alpha
from comparison.statistics.bootstrap import Floats
from comparison.statistics.ceiling import against_reference, ceiling
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.strength import people_score, reference_score, spearman

ACCURACY, RHO = "accuracy", "ρ"


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One target item: its countable labels by value, its reference, and its published number if it has one."""

    pk: int
    tally: Mapping[str, int]
    reference: str | None
    published: float | None = None


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run: its name, and per item (decision, strength)."""

    name: str
    is_baseline: bool
    scores: Mapping[int, tuple[str | None, float | None]]


@dataclass(frozen=True, slots=True)
class Nearest:
    """The run that comes nearest. `statistic` is ACCURACY where runs decide, RHO where they only rate."""

    name: str
    is_baseline: bool
    statistic: str
    estimate: Estimate

    @property
    def sign(self) -> str:
        """What stands before the number."""
        return "ρ = " if self.statistic == RHO else ""

    @property
    def words(self) -> str:
        return "rank correlation with" if self.statistic == RHO else "accuracy against"


@dataclass(frozen=True, slots=True)
class Standing:
    """`nearest` is None where no run has a score to compare; `against_people` tells what it is held against.

    Labels without a majority (one an item, as a rule) leave that to the references, where there are some.
    """

    agreement: Estimate
    agreement_name: str
    one_person: Estimate
    nearest: Nearest | None
    has_labels: bool
    has_references: bool
    against_people: bool
    # What stands in for people where there is nothing of theirs to hold a run against.
    instead: str

    @property
    def has_one_person(self) -> bool:
        """Whether what one person reaches can stand beside the nearest run: both are accuracies."""
        is_accuracy = self.nearest is not None and self.nearest.statistic == ACCURACY
        return is_accuracy and self.one_person.value is not None


def standing(scale: Scale, items: Sequence[TargetRow], runs: Sequence[RunRow]) -> Standing:
    """Agreement among people, and the nearest run against people, or against references where they have no majority."""
    counts, truth = _counts(scale, items), _codes(scale, [item.reference for item in items])
    has_labels, has_references = bool(counts.sum()), bool((truth != MISSING).any())
    level: Level = "ordinal" if scale.ordered else "nominal"
    against_people = has_labels and not (has_references and no_majority(counts))
    target = majority(counts) if against_people else truth
    score, instead = _score(scale, items, counts if against_people else np.zeros_like(counts), truth)
    return Standing(
        agreement=krippendorff_alpha(counts, level=level),
        agreement_name=f"Krippendorff’s α, {level}",
        one_person=ceiling(counts) if against_people else against_reference(counts, truth),
        nearest=_nearest(scale, items, runs, target, score),
        has_labels=has_labels,
        has_references=has_references,
        against_people=against_people,
        instead=instead,
    )


def _score(scale: Scale, items: Sequence[TargetRow], counts: Ints, truth: Ints) -> tuple[Floats, str]:
    """What strengths are held against: labels, or else references, or else published numbers."""
    if counts.sum():
        return people_score(counts, ordered=scale.ordered), "reference"
    if (truth != MISSING).any() or all(item.published is None for item in items):
        return reference_score(truth, ordered=scale.ordered), "reference"
    published = [np.nan if item.published is None else item.published for item in items]
    return np.array(published, dtype=np.float64), "published ratings"


def _counts(scale: Scale, items: Sequence[TargetRow]) -> Ints:
    table = [[item.tally.get(value, 0) for value in scale.values] for item in items]
    return np.array(table, dtype=np.int64).reshape(len(items), len(scale.values))


def _codes(scale: Scale, labels: Sequence[str | None]) -> Ints:
    places = {value: place for place, value in enumerate(scale.values)}
    return np.array([MISSING if label is None else places[label] for label in labels], dtype=np.int64)


def _nearest(
    scale: Scale, items: Sequence[TargetRow], runs: Sequence[RunRow], target: Ints, score: Floats
) -> Nearest | None:
    """Models that name labels first, then models that only rate, then baselines."""
    found: list[Nearest] = []
    for run in runs:
        said = [run.scores.get(item.pk, (None, None)) for item in items]
        decided = _codes(scale, [decision for decision, _ in said])
        hits = accuracy(decided, target)
        if hits.compared:
            found.append(Nearest(run.name, run.is_baseline, ACCURACY, hits.accuracy))
        elif not (decided != MISSING).any():
            strengths = np.array([np.nan if strength is None else strength for _, strength in said], dtype=np.float64)
            rho = spearman(strengths, score)
            if rho.value is not None:
                found.append(Nearest(run.name, run.is_baseline, RHO, rho))
    return max(found, key=_order, default=None)


def _order(run: Nearest) -> tuple[bool, bool, float]:
    """By the lower end of the interval: a run that answered few items must not lead by luck."""
    low = run.estimate.value if run.estimate.low is None else run.estimate.low
    return not run.is_baseline, run.statistic == ACCURACY, low or 0.0
