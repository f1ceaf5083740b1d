"""Synthetic annotators: clearly marked, answering through the real flow, removable without a trace.

They show quality control and dashboards at work before there are people. A study holds labels of people
or of synthetic annotators, never both (Study.population), and `remove_synthetic` makes it fit for people.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from annotation import assignment as assigning
from annotation import behavior, recording
from annotation.arrival.refusals import CannotStart
from annotation.audit.acts import Fact, record
from annotation.audit.deeds import Deed
from annotation.behavior import PROFILES, Question, Respondent
from annotation.models import Annotator, Assignment, Exclusion, Item, Judgment, Revision, Sitting, Study

PLATFORM = "synthetic"

Progress = Callable[[int, int], None]


class CannotSimulate(ValueError):
    """Why this study takes no synthetic annotators. str() says what to do."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulation did: annotators by external id, with the rule that excluded them if one did."""

    annotators: dict[str, str | None]
    labels: int
    valid: int
    target: int

    @property
    def excluded(self) -> list[str]:
        return [name for name, rule in self.annotators.items() if rule]


@dataclass(frozen=True, slots=True)
class Removed:
    annotators: int
    labels: int


def simulate(
    study: Study, *, counts: Mapping[str, int], seed: int, until_full: bool = False, progress: Progress | None = None
) -> Simulated:
    """Let synthetic annotators answer until they have no items left, are excluded or the study is full.

    `counts` gives how many of each profile. With `until_full`, further ones join in the same proportions
    until every item has its labels. `progress` is called with (valid, target) labels after each sitting.
    The same seed on the same study gives the same labels on targets and the same exclusions.
    Raises CannotSimulate for a study that is not open, that holds people's labels, or that cannot fill up.
    """
    _refuse(study, counts)
    with transaction.atomic():
        # Before the first of many sittings, each a transaction of its own: what stops half way was begun all the same.
        asked: dict[str, Fact] = {profile: count for profile, count in counts.items() if count}
        record(study, Deed.SYNTHETIC_ADDED, facts=asked | {"seed": seed})
    labels_before = _labels(study)
    joined = _waves(study, counts, seed, until_full=until_full, progress=progress)
    valid, target = _progress(study)
    rules = dict(Exclusion.objects.in_force().filter(study=study).values_list("annotator__external_id", "rule"))
    return Simulated(
        annotators={name: rules.get(name) for name in joined},
        labels=_labels(study) - labels_before,
        valid=valid,
        target=target,
    )


def remove_synthetic(study: Study) -> Removed:
    """Take all that is synthetic out of the study. Raises CannotSimulate for a study that holds people's labels."""
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if locked.population == Study.Population.PEOPLE:
            raise CannotSimulate(f"{study.slug} has labels from people, and no synthetic ones.")
        annotators = Annotator.objects.filter(platform=PLATFORM, sittings__study=study).distinct()
        names = list(annotators.values_list("pk", flat=True))
        sittings = Sitting.objects.filter(study=study, annotator__in=names)
        judgments = Judgment.objects.filter(assignment__sitting__in=sittings)
        labels = judgments.count()
        Revision.objects.filter(judgment__in=judgments).delete()
        judgments.delete()
        Assignment.objects.filter(sitting__in=sittings).delete()
        sittings.delete()
        Exclusion.objects.filter(study=study, annotator__in=names).delete()
        study.repeaters.filter(annotator__in=names).delete()
        study.annotator_numbers.filter(annotator__in=names).delete()
        # They may have taken part in other studies as well, where they stay.
        Annotator.objects.filter(pk__in=names, sittings=None, exclusions=None).delete()
        study.items.update(counted=0, reserved=0, tally={}, agreed=0)
        if not locked.as_imported:
            study.items.targets().filter(target=0).update(target=locked.labels_per_item)
        locked.population = Study.Population.NOBODY
        locked.save(update_fields=["population"])
        if names:
            record(study, Deed.SYNTHETIC_REMOVED, facts={"annotators": len(names), "labels": labels})
    study.refresh_from_db()
    return Removed(annotators=len(names), labels=labels)


def _refuse(study: Study, counts: Mapping[str, int]) -> None:
    study.refresh_from_db()
    unknown = sorted(set(counts) - set(PROFILES))
    if unknown:
        raise CannotSimulate(f"There is no profile {', '.join(unknown)}. Available: {', '.join(PROFILES)}.")
    if not any(counts.values()) or min(counts.values()) < 0:
        raise CannotSimulate("Ask for at least one annotator, and for none fewer than zero.")
    if study.state != Study.State.OPEN:
        raise CannotSimulate(f"{study.slug} is not open. Open it first.")
    if study.population == Study.Population.PEOPLE:
        raise CannotSimulate(f"{study.slug} has labels from people. Synthetic labels cannot be mixed with them.")


def _waves(
    study: Study, counts: Mapping[str, int], seed: int, *, until_full: bool, progress: Progress | None
) -> list[str]:
    """One cast after the other, until the study is full or one has been asked for. The names of who sat."""
    # How many of each profile have taken part before.
    here = Annotator.objects.filter(sittings__study=study).distinct()
    numbered = {profile: here.filter(profile=profile).count() for profile in counts}
    joined: list[str] = []
    for wave in itertools.count():
        valid_before, _ = _progress(study)
        cast = _cast(counts, numbered, order=f"{study.slug}/{seed}/{wave}")
        joined += _work(study, cast, seed, progress)
        valid, target = _progress(study)
        if not until_full or valid == target:
            return joined
        if valid <= valid_before:
            raise CannotSimulate(
                f"{study.slug} stays at {valid} of {target} labels: the last annotators were excluded or had no "
                "items. Add more careful annotators, or check the attention checks."
            )
    raise AssertionError("unreachable: the loop has no end of its own")


def _cast(counts: Mapping[str, int], numbered: dict[str, int], *, order: str) -> list[Annotator]:
    """The next annotators, numbered on. The careless come first, to have their slots reopen and be filled by others."""
    joining = []
    for profile, count in counts.items():
        for number in range(numbered[profile] + 1, numbered[profile] + count + 1):
            annotator, _ = Annotator.objects.get_or_create(
                platform=PLATFORM, external_id=f"synthetic-{profile}-{number:02d}", defaults={"profile": profile}
            )
            joining.append(annotator)
        numbered[profile] += count
    random.Random(order).shuffle(joining)
    return sorted(joining, key=lambda annotator: annotator.profile != "careless")


def _work(study: Study, cast: list[Annotator], seed: int, progress: Progress | None) -> list[str]:
    """One sitting each in turn, until nobody can start another. The names of who sat, in the cast's order."""
    working, sat = list(cast), set()
    while working:
        for annotator in list(working):
            try:
                sitting = assigning.start(study, annotator)
            except CannotStart:
                working.remove(annotator)
                continue
            sat.add(annotator.external_id)
            _sit(sitting, annotator, seed)
            if progress is not None:
                progress(*_progress(study))
    # Who came to a full study leaves no trace.
    Annotator.objects.filter(pk__in=[annotator.pk for annotator in cast], sittings=None).delete()
    return [annotator.external_id for annotator in cast if annotator.external_id in sat]


def _sit(sitting: Sitting, annotator: Annotator, seed: int) -> None:
    """Answer every item of the sitting."""
    study = sitting.study
    task = study.task
    met = _checks_met(study, annotator)
    who = Respondent(annotator.external_id, PROFILES[annotator.profile], seed=f"{study.slug}/{seed}")
    while (current := sitting.current()) is not None:
        item = current.item
        question = Question(
            item=item.external_id,
            kind=item.kind,
            reference=item.reference,
            text=task.text(item.content),
            nth_check=next(met[item.kind]),
            shown=tuple(current.presentation["order"]),
            position=current.position,
        )
        value = behavior.answer(who, question, scale=task.scale, gold_distance=study.policy.gold_distance)
        took = behavior.response_ms(who, question)
        # Nobody waits: it was shown as long ago as they say they took.
        shown_at = timezone.now() - timedelta(milliseconds=took)
        Assignment.objects.filter(pk=current.pk, shown_at=None).update(shown_at=shown_at)
        try:
            posted = task.posted(value, current.presentation)
            recording.record(sitting, current.position, posted, response_ms=took)
        except recording.Refused as error:
            raise CannotSimulate(f"{study.slug}: stopped at {item.external_id}. {error}") from error


def _checks_met(study: Study, annotator: Annotator) -> dict[str, Iterator[int]]:
    """For each kind of item, a counter that begins after those the annotator has answered."""
    mine = Assignment.objects.filter(sitting__study=study, annotator=annotator, state__in=Assignment.ANSWERED)
    return {kind: iter(range(mine.filter(item__kind=kind).count(), 1_000_000)) for kind in Item.Kind.values}


def _progress(study: Study) -> tuple[int, int]:
    """(valid labels on targets, labels wanted)."""
    sums = study.items.filter(kind=Item.Kind.TARGET).aggregate(valid=Sum(F("counted")), target=Sum(F("target")))
    return sums["valid"] or 0, sums["target"] or 0


def _labels(study: Study) -> int:
    return Judgment.objects.filter(assignment__sitting__study=study).count()
