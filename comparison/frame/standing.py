"""From the database to where studies stand: do people agree, and which models are nearest.

Read from tallies, labels and scores in three queries, however many studies there are; the list of studies needs no
panels.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotation.models import Assignment, Item, Study
from annotation.tasktypes.contract import Scale
from comparison.frame.cache.gathered import Gathered
from comparison.frame.coded import count_tallies
from comparison.frame.judging import PUBLISHED, Answers, Targets, judged, strength_target
from comparison.frame.names import MAJORITY as MAJORITY_LABEL
from comparison.frame.names import annotator_name
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import grouped
from comparison.statistics.strengths.cut_points import Cuts, decided_or_cut, labels_to_fit
from comparison.statistics.verdict.evidence import MAJORITY, Voices, held_against, is_one_role
from comparison.statistics.verdict.parts import Verdict
from scoring.models import Run, Score
from scoring.short_names import short_names

Said = Mapping[int, tuple[str | None, float | None]]


@dataclass(frozen=True, slots=True)
class Standing:
    """`against_people` tells what runs are held against: labels without any majority leave that to the references."""

    verdict: Verdict
    agreement_name: str
    has_labels: bool
    has_references: bool
    against_people: bool
    # What stands in for people where there is nothing of theirs to hold a run against.
    instead: str

    @property
    def agreement(self) -> Estimate:
        return self.verdict.people.alpha


@dataclass(frozen=True, slots=True)
class _Study:
    """A study's target items, in order."""

    scale: Scale
    pks: tuple[int, ...]
    targets: Targets


def read_standings(
    studies: Sequence[Study], gathered: Mapping[int, Gathered], *, measure: str = ""
) -> dict[int, Standing]:
    """By study; by another `measure` than each study's own, if one is given."""
    if not studies:
        return {}
    found, voices = _read(studies), _voices(studies)
    scores: dict[int, dict[int, tuple[str | None, float | None]]] = defaultdict(dict)
    rows = Score.objects.filter(run__study__in=studies, item__kind=Item.Kind.TARGET)
    for run, item, decision, strength in rows.values_list("run", "item", "decision", "strength").iterator():
        scores[run][item] = (decision, strength)
    return {
        study.pk: _standing(found[study.pk], gathered[study.pk], scores, voices[study.pk], study=study, measure=measure)
        for study in studies
    }


def _read(studies: Sequence[Study]) -> dict[int, _Study]:
    found = defaultdict(list)
    rows = Item.objects.filter(study__in=studies, kind=Item.Kind.TARGET).order_by("study", "position")
    fields = ("pk", "tally", "reference", "reference_strength", "group")
    for study, *row in rows.values_list("study", *fields).iterator():
        found[study].append(row)
    return {study.pk: _lined_up(study.task.scale, found[study.pk]) for study in studies}


def _voices(studies: Sequence[Study]) -> dict[int, list[tuple[int, int, str]]]:
    """Item, annotator and label of every label that counts, by study."""
    found: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    counted = Assignment.objects.filter(item__study__in=studies, state=Assignment.State.COUNTED)
    rows = counted.filter(item__kind=Item.Kind.TARGET).order_by("item", "annotator")
    read = rows.values_list("item__study", "item", "annotator", "judgment__answer")
    for study, item, annotator, label in read.iterator():
        found[study].append((item, annotator, label))
    return found


def _lined_up_voices(found: _Study, said: Sequence[tuple[int, int, str]]) -> Voices:
    items, raters, labels = zip(*said, strict=True) if said else ((), (), ())
    rows = {pk: row for row, pk in enumerate(found.pks)}
    named = sorted(set(raters), key=annotator_name)
    numbers = {pk: number for number, pk in enumerate(named)}
    return Voices(
        rows=np.array([rows[pk] for pk in items], dtype=np.int64),
        raters=np.array([numbers[pk] for pk in raters], dtype=np.int64),
        labels=_codes(found.scale, labels),
        names=tuple(annotator_name(pk) for pk in named),
    )


def _lined_up(scale: Scale, rows: Sequence[Sequence[Any]]) -> _Study:
    columns = tuple(zip(*rows, strict=True)) if rows else ((),) * 5
    pks, tallies, references, published, groups = columns
    truth = _codes(scale, references)
    targets = Targets(
        counts=count_tallies(tallies, scale.values),
        truth=truth,
        published=_numbers(published),
        words=tuple(label.text for label in scale.labels),
        ordered=scale.ordered,
        one_role=is_one_role(truth, of_roles=scale.of_roles),
        sample=grouped(groups),
    )
    return _Study(scale, pks, targets)


def _standing(
    found: _Study,
    gathered: Gathered,
    scores: Mapping[int, Said],
    voices: Sequence[tuple[int, int, str]],
    *,
    study: Study,
    measure: str,
) -> Standing:
    """Against people, or against references where they have no majority."""
    targets = replace(found.targets, voices=_lined_up_voices(found, voices))
    against = held_against(targets.counts, targets.truth)
    reached = judged(
        targets,
        _answers(found, gathered.runs, scores),
        against=against,
        measure=measure or study.measure,
        people=study.people,
        share_in=gathered.share_in,
    )
    target = strength_target(targets.counts, targets.truth, targets.published, against=against)
    return standing(
        study,
        reached,
        against=against,
        instead=target,
        has_labels=bool(targets.counts.any()),
        has_references=bool((targets.truth != MISSING).any()),
    )


def standing(
    study: Study, reached: Verdict, *, against: str, instead: str, has_labels: bool, has_references: bool
) -> Standing:
    """Of a verdict on all of a study; `instead` is what strengths are held against."""
    return Standing(
        verdict=reached,
        agreement_name=f"Krippendorff’s α, {'ordinal' if study.task.scale.ordered else 'nominal'}",
        has_labels=has_labels,
        has_references=has_references,
        against_people=against == MAJORITY and has_labels,
        instead="published ratings" if instead == PUBLISHED else "reference",
    )


def _answers(found: _Study, runs: Sequence[Run], scores: Mapping[int, Said]) -> list[Answers]:
    to_fit = labels_to_fit(found.targets.truth, majority(found.targets.counts))
    answers, shorts = [], short_names(runs)
    # In the order of a panel, so that the same items are drawn for both.
    for run in sorted(runs, key=lambda run: (run.model.is_baseline, str(run))):
        if found.targets.one_role and run.model.method == MAJORITY_LABEL:
            continue
        said = [scores.get(run.pk, {}).get(pk, (None, None)) for pk in found.pks]
        strengths = _numbers([strength for _, strength in said])
        decided, cuts = _degrees(found, _codes(found.scale, [decision for decision, _ in said]), strengths, to_fit)
        answers.append(
            Answers(
                run=run.pk,
                name=shorts[run.pk],
                model=run.model.name,
                is_baseline=run.model.is_baseline,
                state=run.state,
                decided=decided,
                strengths=strengths,
                cuts=cuts,
            )
        )
    return answers


def _degrees(found: _Study, own: Ints, strengths: Floats, to_fit: Ints) -> tuple[Ints, Cuts | None]:
    if not found.scale.ordered:
        return own, None
    return decided_or_cut(own, strengths, to_fit, degrees=len(found.scale.values))


def _codes(scale: Scale, labels: Sequence[str | None]) -> Ints:
    places = {value: place for place, value in enumerate(scale.values)}
    return np.array([MISSING if label is None else places[label] for label in labels], dtype=np.int64)


def _numbers(found: Sequence[float | None]) -> Floats:
    return np.array([np.nan if number is None else number for number in found], dtype=np.float64)
