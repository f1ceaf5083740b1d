"""Who is offered what: starting a sitting, taking it up again, giving slots back.

Locks are always taken in the order study, sitting, assignment, item, and only the holder of the study's
lock touches more than one item, so that no two transactions can wait for each other. (SQLite has one
writer at a time and needs no row locks.)
"""

import random
import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation import exclusion
from annotation.arrival.holding import hold
from annotation.arrival.limits import count_start
from annotation.arrival.refusals import AnnotatorExcluded, CapReached, NothingLeft, StudyNotOpen, WrongPopulation
from annotation.arrival.repeats import refuse_repeat
from annotation.arrival.visitor import Visitor
from annotation.models import Annotator, Assignment, Exclusion, Item, Sitting, Study
from annotation.platforms.outcome import Outcome

# Without letters and digits that are mistaken for each other.
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
CODE_LENGTH = 8


def start(study: Study, annotator: Annotator, *, visitor: Visitor | None = None) -> Sitting:
    """Reserve a sitting's items for the annotator, or return the sitting that is not finished yet.

    `visitor` says by which link and in which browser they come, and is None of synthetic annotators, who have neither.
    Raises CannotStart (StudyNotOpen, WrongPopulation, BegunElsewhere, AnnotatorExcluded, TakenPartBefore, LinkFull,
    TooManyAtOnce, CapReached, NothingLeft).
    """
    now = timezone.now()
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if visitor is not None:
            # First of all: to another browser a known id says nothing.
            hold(study, annotator, visitor)
        _refuse_who_may_not(study, annotator)
        _release_lapsed_of(study, now)
        unfinished = study.sittings.filter(annotator=annotator).exclude(state=Sitting.State.FINISHED).first()
        if unfinished is not None:
            return _take_up(unfinished, now)
        if visitor is not None:
            refuse_repeat(study, annotator.platform, annotator.external_id)
            count_start(study, visitor.link)
        return _lay_out(study, annotator, now, visitor)


def resume(sitting: Sitting) -> Sitting:
    """Take a lapsed sitting up again; one that has ended meanwhile is returned as it stands, and no other is begun.

    Without a slot that could be taken back, it ends. Raises CannotStart (StudyNotOpen, WrongPopulation,
    AnnotatorExcluded).
    """
    now = timezone.now()
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        sitting = Sitting.objects.select_related("study", "annotator").get(pk=sitting.pk)
        if sitting.is_over:
            return sitting
        _refuse_who_may_not(study, sitting.annotator)
        _release_lapsed_of(study, now)
        return _take_up(sitting, now)


def release_lapsed(*, study: Study | None = None) -> int:
    """Reopen the slots of sittings whose lease has run out. Returns how many sittings lapsed."""
    now = timezone.now()
    expired = Sitting.objects.filter(state=Sitting.State.ACTIVE, lease_expires_at__lt=now)
    if study is not None:
        expired = expired.filter(study=study)
    lapsed = 0
    for pk in sorted(set(expired.values_list("study", flat=True))):
        with transaction.atomic():
            lapsed += _release_lapsed_of(Study.objects.select_for_update(no_key=True).get(pk=pk), now)
    return lapsed


def finish(sitting: Sitting, outcome: Outcome = Outcome.COMPLETED) -> None:
    """End a sitting with this outcome; slots without an answer reopen. One that has ended keeps its own outcome.

    Of one that is completed, the annotator is held against the study's policy, whose verdict would be the outcome
    instead; and it came too late if items of it had gone to others.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        _finish(study, sitting, outcome)
    sitting.refresh_from_db()


def _refuse_who_may_not(study: Study, annotator: Annotator) -> None:
    if study.state != Study.State.OPEN:
        raise StudyNotOpen("This study is not open at the moment.")
    population = Study.Population.SYNTHETIC if annotator.is_synthetic else Study.Population.PEOPLE
    if study.population not in (population, Study.Population.NOBODY):
        raise WrongPopulation(
            "This study holds trial labels from synthetic annotators. It takes people once the researcher removes them."
            if study.population == Study.Population.SYNTHETIC
            else "This study holds labels from people; synthetic annotators may not take part in it."
        )
    if Exclusion.objects.in_force().filter(study=study, annotator=annotator).exists():
        raise AnnotatorExcluded("You have taken part in this study, and it has no more items for you. Thank you.")


def _lay_out(study: Study, annotator: Annotator, now: datetime, visitor: Visitor | None) -> Sitting:
    targets = _draw_targets(study, annotator)
    sitting = Sitting(
        study=study,
        annotator=annotator,
        instructions_version=study.instructions_version,
        completion_code="".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH)),
        **(visitor.kept() if visitor is not None else {}),
    )
    sitting.lease_expires_at = sitting.lease_until(now)
    sitting.save()
    Item.objects.filter(pk__in=[item.pk for item in targets]).update(reserved=F("reserved") + 1)
    rng = random.Random(sitting.token)
    Assignment.objects.bulk_create(
        Assignment(
            sitting=sitting,
            annotator=annotator,
            item=item,
            position=position,
            presentation=study.task.present(item.content, rng),
        )
        for position, item in enumerate(_in_order(study, annotator, targets, rng), start=1)
    )
    if study.population == Study.Population.NOBODY:
        study.population = Study.Population.SYNTHETIC if annotator.is_synthetic else Study.Population.PEOPLE
        study.save(update_fields=["population"])
    return sitting


def _draw_targets(study: Study, annotator: Annotator) -> list[Item]:
    """The items in greatest need that this annotator has not been offered, locked."""
    mine = Assignment.objects.filter(sitting__study=study, annotator=annotator, item__kind=Item.Kind.TARGET)
    taken = mine.exclude(state=Assignment.State.RELEASED).count()
    if taken >= study.max_items_per_annotator:
        raise CapReached("You have answered as many items as one person may in this study. Thank you.")
    wanted = min(study.sitting_length, study.max_items_per_annotator - taken)
    targets = list(
        Item.objects.select_for_update(no_key=True)
        .filter(study=study, kind=Item.Kind.TARGET, need__gt=0)
        .exclude(pk__in=mine.values("item"))
        .order_by("-need", "random_key")[:wanted]
    )
    if not targets:
        raise NothingLeft("There are no items waiting for you in this study at the moment. Thank you for coming.")
    return targets


def _in_order(study: Study, annotator: Annotator, targets: list[Item], rng: random.Random) -> list[Item]:
    """Practice first; then targets with the checks mixed in at random places."""
    unseen = study.items.exclude(kind=Item.Kind.TARGET).exclude(assignments__annotator=annotator)
    by_kind: dict[str, list[Item]] = {kind: [] for kind in Item.Kind.values}
    for item in unseen.order_by("position"):
        by_kind[item.kind].append(item)
    mixed = list(targets)
    for kind, wanted in (
        (Item.Kind.GOLD, study.gold_per_sitting),
        (Item.Kind.ATTENTION, study.attention_per_sitting),
    ):
        mixed += rng.sample(by_kind[kind], min(wanted, len(by_kind[kind])))
    rng.shuffle(mixed)
    return by_kind[Item.Kind.PRACTICE] + mixed


def _take_up(sitting: Sitting, now: datetime) -> Sitting:
    """Go on with an unfinished sitting. After a lapse, take back the slots that are still free."""
    sitting = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
    if sitting.state == Sitting.State.LAPSED:
        for assignment in sitting.assignments.filter(state=Assignment.State.RELEASED).select_related("item"):
            if assignment.item.take_slot():
                assignment.state = Assignment.State.RESERVED
                assignment.save(update_fields=["state"])
        sitting.state = Sitting.State.ACTIVE
    sitting.lease_expires_at = sitting.lease_until(now)
    sitting.save(update_fields=["state", "lease_expires_at"])
    if sitting.current() is None:
        _finish(sitting.study, sitting)
        sitting.refresh_from_db()
    return sitting


def _release_lapsed_of(study: Study, now: datetime) -> int:
    """Under the study's lock: lapse every active sitting whose lease has run out."""
    expired = study.sittings.select_for_update(no_key=True).filter(state=Sitting.State.ACTIVE, lease_expires_at__lt=now)
    for sitting in (found := list(expired.order_by("pk"))):
        if sitting.current() is None:
            _finish(study, sitting)
            continue
        exclusion.give_back(sitting.assignments.filter(state=Assignment.State.RESERVED))
        sitting.state = Sitting.State.LAPSED
        sitting.save(update_fields=["state"])
        exclusion.apply_policy(study, sitting.annotator)
    return len(found)


def _finish(study: Study, sitting: Sitting, outcome: Outcome = Outcome.COMPLETED) -> None:
    mine = Sitting.objects.filter(pk=sitting.pk)
    if mine.filter(state=Sitting.State.FINISHED).exists():
        return
    if outcome is Outcome.COMPLETED:
        # First, since a verdict ends the sitting with an outcome of its own.
        exclusion.apply_policy(study, sitting.annotator)
        if sitting.assignments.filter(state=Assignment.State.RELEASED).exists():
            outcome = Outcome.TOO_LATE
    exclusion.give_back(sitting.assignments.filter(state=Assignment.State.RESERVED))
    mine.end(outcome)
