"""From the database to where studies stand: do people agree, and which model is nearest.

Read from tallies and scores in two queries, however many studies there are; the list of studies needs no panels.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.models import Item, Study
from annotation.tasktypes.contract import Scale
from comparison.frame.coded import count_tallies
from comparison.frame.frames import source
from comparison.statistics.accuracy.ceiling import against_reference, ceiling
from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.aggregation.majority import majority, no_majority
from comparison.statistics.agreement.coefficients import Level, krippendorff_alpha
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.folds import Folds, folds
from comparison.statistics.strengths.correlation import people_score, reference_score, spearman
from comparison.statistics.strengths.cut_points import Cuts, decided_or_cut, labels_to_fit, marked, names_labels
from comparison.statistics.verdict.nearest import ACCURACY, RHO, Candidate, nearest
from scoring.models import Run, Score

Said = Mapping[int, tuple[str | None, float | None]]


@dataclass(frozen=True, slots=True)
class NearestRun:
    """The run that comes nearest, by `statistic` (accuracy or ρ); `how` says how its degrees came about, if cut."""

    name: str
    is_baseline: bool
    statistic: str
    estimate: Estimate
    how: str

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
    nearest: NearestRun | None
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


@dataclass(frozen=True, slots=True)
class _Targets:
    """A study's target items, in order: labels counted, references as codes, published numbers (NaN where none)."""

    scale: Scale
    pks: tuple[int, ...]
    counts: Ints
    truth: Ints
    published: Floats
    folds: Folds

    @property
    def has_labels(self) -> bool:
        return bool(self.counts.sum())

    @property
    def has_references(self) -> bool:
        return bool((self.truth != MISSING).any())

    @property
    def against_people(self) -> bool:
        return self.has_labels and not (self.has_references and no_majority(self.counts))


def read_standings(studies: Sequence[Study], runs: Mapping[int, Sequence[Run]]) -> dict[int, Standing]:
    """By study; `runs` are each study's runs with their models."""
    if not studies:
        return {}
    targets = _targets(studies)
    scores: dict[int, dict[int, tuple[str | None, float | None]]] = defaultdict(dict)
    rows = Score.objects.filter(run__study__in=studies, item__kind=Item.Kind.TARGET)
    for run, item, decision, strength in rows.values_list("run", "item", "decision", "strength").iterator():
        scores[run][item] = (decision, strength)
    return {study.pk: _standing(targets[study.pk], runs[study.pk], scores) for study in studies}


def _targets(studies: Sequence[Study]) -> dict[int, _Targets]:
    found = defaultdict(list)
    rows = Item.objects.filter(study__in=studies, kind=Item.Kind.TARGET).order_by("study", "position")
    fields = ("pk", "tally", "reference", "reference_strength", "external_id", "group", "content")
    for study, *row, content in rows.values_list("study", *fields).iterator():
        # Of the content only where the item starts from: it may be long.
        found[study].append((*row, source(content)))
    return {study.pk: _lined_up(study.task.scale, found[study.pk]) for study in studies}


def _lined_up(scale: Scale, rows: Sequence[Sequence[Any]]) -> _Targets:
    columns = tuple(zip(*rows, strict=True)) if rows else ((),) * 7
    pks, tallies, references, published, names, groups, sources = columns
    return _Targets(
        scale=scale,
        pks=pks,
        counts=count_tallies(tallies, scale.values),
        truth=_codes(scale, references),
        published=_numbers(published),
        folds=folds(names, groups, sources),
    )


def _standing(targets: _Targets, runs: Sequence[Run], scores: Mapping[int, Said]) -> Standing:
    """Agreement among people, and the nearest run against people, or against references where they have no majority."""
    level: Level = "ordinal" if targets.scale.ordered else "nominal"
    counts, truth = targets.counts, targets.truth
    score, instead = _score(targets)
    return Standing(
        agreement=krippendorff_alpha(counts, level=level),
        agreement_name=f"Krippendorff’s α, {level}",
        one_person=ceiling(counts) if targets.against_people else against_reference(counts, truth),
        nearest=_nearest(targets, runs, scores, score),
        has_labels=targets.has_labels,
        has_references=targets.has_references,
        against_people=targets.against_people,
        instead=instead,
    )


def _score(targets: _Targets) -> tuple[Floats, str]:
    """What strengths are held against: labels, or else references, or else published numbers."""
    ordered = targets.scale.ordered
    if targets.against_people:
        return people_score(targets.counts, ordered=ordered), "reference"
    if targets.has_references or not np.isfinite(targets.published).any():
        return reference_score(targets.truth, ordered=ordered), "reference"
    return targets.published, "published ratings"


def _nearest(targets: _Targets, runs: Sequence[Run], scores: Mapping[int, Said], score: Floats) -> NearestRun | None:
    agreed = majority(targets.counts)
    against = agreed if targets.against_people else targets.truth
    to_fit = labels_to_fit(targets.truth, agreed)
    candidates, cuts = [], {}
    for run in runs:
        said = [scores.get(run.pk, {}).get(pk, (None, None)) for pk in targets.pks]
        own = _codes(targets.scale, [decision for decision, _ in said])
        strengths = _numbers([strength for _, strength in said])
        decided, cuts[run.pk] = _degrees(targets, own, strengths, to_fit)
        candidates.append(
            Candidate(
                run=run.pk,
                is_baseline=run.model.is_baseline,
                decides=names_labels(own),
                accuracy=accuracy(decided, against).accuracy,
                rho=spearman(strengths, score),
            )
        )
    found = nearest(candidates)
    if found is None:
        return None
    run, how = next(run for run in runs if run.pk == found.run), cuts[found.run]
    words = how.words if how is not None and not how.undefined else ""
    return NearestRun(marked(str(run), how), run.model.is_baseline, found.statistic, found.estimate, words)


def _degrees(targets: _Targets, own: Ints, strengths: Floats, to_fit: Ints) -> tuple[Ints, Cuts | None]:
    if not targets.scale.ordered:
        return own, None
    return decided_or_cut(own, strengths, to_fit, targets.folds, degrees=len(targets.scale.values))


def _codes(scale: Scale, labels: Sequence[str | None]) -> Ints:
    places = {value: place for place, value in enumerate(scale.values)}
    return np.array([MISSING if label is None else places[label] for label in labels], dtype=np.int64)


def _numbers(found: Sequence[float | None]) -> Floats:
    return np.array([np.nan if number is None else number for number in found], dtype=np.float64)
