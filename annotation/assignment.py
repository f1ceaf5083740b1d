"""Who is offered what: starting a sitting, taking it up again, giving slots back.

Locks are always taken in the order study, annotator, sitting, assignment, item, and only the holder of the study's
lock touches more than one item, so that no two transactions can wait for each other. (SQLite has one
writer at a time and needs no row locks.)
"""

import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from annotation.arrival.ownership import hold
from annotation.arrival.places import Arrival, arrival_of, count_start, refuse_crowd, refuse_without_place
from annotation.arrival.refusals import (
    AnnotatorExcluded,
    CapReached,
    ItemsElsewhere,
    LinkFull,
    NothingLeft,
    StudyNotOpen,
    TooManyAtOnce,
    WrongPopulation,
)
from annotation.arrival.repeats import one_start_at_once, refuse_repeat
from annotation.arrival.visitor import Visitor
from annotation.models import Annotator, AnnotatorNumber, Assignment, Exclusion, Item, Sitting, Study
from annotation.models.sitting import HOLDING, SittingQuerySet
from annotation.platforms import Outcome
from annotation.quality import exclusion
from annotation.stages.items import draw_targets, offer, presentation, taken_orders
from annotation.stages.order import FOR_GOOD, after_items, gate_after
from annotation.webhooks.outbox import end_sittings

# Without letters and digits that are mistaken for each other.
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
CODE_LENGTH = 8
# Of those who would give way to one who comes.
MOST_TRIED = 3


def start(study: Study, annotator: Annotator, *, visitor: Visitor | None = None) -> Sitting:
    """Begin a sitting, or return the one that is not finished yet, or that ended without consent or comprehension.

    Its items are reserved at once, unless the study has stages before them (`reach_items`). `visitor` says by which
    link and in which browser they come, and is None of synthetic annotators, who have neither, nor such stages.
    Raises CannotStart (StudyNotOpen, WrongPopulation, BegunElsewhere, AnnotatorExcluded, TakenPartBefore, LinkFull,
    TooManyAtOnce, CapReached, NothingLeft).
    """
    now = timezone.now()
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if visitor is not None:
            # First of all: to another browser a known id says nothing.
            hold(study, annotator, visitor)
        refuse_who_may_not(study, annotator)
        # Before any item is: an answer of theirs may hold it, and wait for one.
        mine = study.sittings.select_for_update(no_key=True).filter(annotator=annotator)
        unfinished = mine.exclude(state=Sitting.State.FINISHED).first()
        _release_lapsed_of(study)
        if unfinished is not None:
            return _take_up(unfinished, now, instructed=not study.path.has_gate)
        if (ended := study.sittings.filter(annotator=annotator, outcome__in=FOR_GOOD).first()) is not None:
            return ended
        AnnotatorNumber.objects.give(study.pk, [annotator.pk])
        sitting = _begun(study, annotator, visitor)
        if visitor is None:
            _offer(study, sitting)
            return sitting
        one_start_at_once(study, annotator)
        refuse_repeat(study, annotator.platform, annotator.external_id)
        gate = gate_after(study, annotator, None)
        if gate is None:
            _offer(study, sitting)
        else:
            _make_room(study, sitting, refuse_without_place)
            _refuse_in_vain(study, sitting)
            sitting.stage = gate
            sitting.save()
        count_start(visitor.link)
        return sitting


def reach_items(sitting: Sitting) -> Sitting:
    """Give items to a sitting that has passed the stages before them. Where none is left for it, it ends: quota full.

    Raises CannotStart (StudyNotOpen, WrongPopulation, AnnotatorExcluded, TooManyAtOnce).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        sitting = (
            Sitting.objects.select_for_update(of=("self",), no_key=True)
            .select_related("annotator", "link")
            .get(pk=sitting.pk)
        )
        if sitting.is_over or sitting.holds_items:
            return sitting
        refuse_who_may_not(study, sitting.annotator)
        _release_lapsed_of(study)
        try:
            # Whoever would give way for nothing does not.
            with transaction.atomic():
                _offer(study, sitting)
        except (CapReached, LinkFull, NothingLeft):
            _finish(study, sitting, Outcome.QUOTA_FULL)
            sitting.refresh_from_db()
    return sitting


def resume(sitting: Sitting) -> Sitting:
    """Take a lapsed sitting up again; one that has ended meanwhile is returned as it stands, and no other is begun.

    Without a slot that could be taken back, or may become free within minutes, it ends. Raises CannotStart
    (StudyNotOpen, WrongPopulation, AnnotatorExcluded, TooManyAtOnce).
    """
    now = timezone.now()
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        of_sitting = Sitting.objects.select_related("study", "annotator").select_for_update(of=("self",), no_key=True)
        sitting = of_sitting.get(pk=sitting.pk)
        if sitting.is_over:
            return sitting
        refuse_who_may_not(study, sitting.annotator)
        _release_lapsed_of(study)
        return _take_up(sitting, now)


def hold_on(sitting: Sitting) -> bool:
    """Renew the lease as an answer does. False where none is left: it has lapsed or ended, or holds no items yet."""
    now = timezone.now()
    sitting.lease_expires_at = sitting.lease_until()
    sitting.is_here(now)
    held = Sitting.objects.filter(pk=sitting.pk, state=Sitting.State.ACTIVE, stage__in=HOLDING)
    return (
        held.update(lease_expires_at=sitting.lease_expires_at, active_at=sitting.active_at, gave_sign=sitting.gave_sign)
        == 1
    )


def release_lapsed(*, study: Study | None = None) -> int:
    """Reopen the slots of sittings whose lease has run out. Returns how many sittings lapsed."""
    expired = Sitting.objects.overdue()
    if study is not None:
        expired = expired.filter(study=study)
    lapsed = 0
    for pk in sorted(set(expired.values_list("study", flat=True))):
        with transaction.atomic():
            lapsed += _release_lapsed_of(Study.objects.select_for_update(no_key=True).get(pk=pk))
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


def refuse_who_may_not(study: Study, annotator: Annotator | None) -> None:
    """None is a person who was never here. Raises StudyNotOpen, WrongPopulation, AnnotatorExcluded."""
    if study.state != Study.State.OPEN:
        raise StudyNotOpen(gettext("This study is not open at the moment."))
    is_synthetic = annotator is not None and annotator.is_synthetic
    population = Study.Population.SYNTHETIC if is_synthetic else Study.Population.PEOPLE
    if study.population not in (population, Study.Population.NOBODY):
        raise WrongPopulation(
            gettext("This study still contains test labels. People can take part once the researcher removes them.")
            if study.population == Study.Population.SYNTHETIC
            else "This study holds labels from people; synthetic annotators may not take part in it."
        )
    if annotator is not None and Exclusion.objects.in_force().filter(study=study, annotator=annotator).exists():
        raise AnnotatorExcluded(
            gettext("You have taken part in this study, and it has no more items for you. Thank you.")
        )


def _begun(study: Study, annotator: Annotator, visitor: Visitor | None) -> Sitting:
    """A new sitting, not stored yet."""
    sitting = Sitting(
        study=study,
        annotator=annotator,
        instructions_version=study.instructions_version,
        completion_code="".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH)),
        **(visitor.sitting_fields() if visitor is not None else {}),
    )
    sitting.lease_expires_at = sitting.lease_until()
    return sitting


def _offer(study: Study, sitting: Sitting) -> None:
    """Give it its items; where there are none for it, another gives way (annotation/arrival/places.py).

    Else a few ids that are invented, or left, would shut the study to all who come. Raises CapReached, LinkFull,
    NothingLeft, and TooManyAtOnce where some may become free within minutes. To a sitting without a link nobody
    gives way.
    """
    if sitting.link is None:
        offer(study, sitting)
        return
    _make_room(study, sitting, refuse_without_place)
    _make_room(study, sitting, refuse_crowd)
    try:
        offer(study, sitting)
        return
    except NothingLeft:
        others = _others(study, sitting).with_items_for(sitting.annotator_id)
        for other in _arrival(study, sitting).evictable(others)[:MOST_TRIED]:
            # What it holds may still not be theirs: a variant of what they have had.
            with suppress(NothingLeft), transaction.atomic():
                if _give_way(study, other):
                    offer(study, sitting)
                    return
        if _arrival(study, sitting).may_come_free(others):
            raise TooManyAtOnce from None
        raise


def _make_room(study: Study, sitting: Sitting, refuse: Callable[[Sitting], None]) -> None:
    """Let those give way who came by its link, until there is room by this rule, which raises where there is none.

    Raises what the rule does, but TooManyAtOnce for a link that is full for some minutes: nobody is told that a study
    is over for them while places of it may come free.
    """
    by_link = _others(study, sitting).filter(link=sitting.link)
    busy: set[int] = set()
    while True:
        try:
            return refuse(sitting)
        except (LinkFull, TooManyAtOnce) as reason:
            arrival, is_full = _arrival(study, sitting), isinstance(reason, LinkFull)
            others = arrival.evictable(by_link)
            idle = (others if is_full else others.unanswered()).exclude(pk__in=busy).first()
            if idle is None:
                if is_full and arrival.place_may_come_free(by_link):
                    raise TooManyAtOnce from None
                raise
        if not _give_way(study, idle):
            busy.add(idle.pk)


def _others(study: Study, sitting: Sitting) -> SittingQuerySet:
    return study.sittings.exclude(pk=sitting.pk)


def _arrival(study: Study, sitting: Sitting) -> Arrival:
    return arrival_of(study, sitting.link, sitting.origin, _others(study, sitting))


def _give_way(study: Study, sitting: Sitting) -> bool:
    """False where somebody is answering in it just now. That is not waited for: it may wait for an item held here."""
    locked = study.sittings.select_for_update(no_key=True, skip_locked=True).filter(pk=sitting.pk).first()
    if locked is None:
        return False
    _lapse(study, locked)
    return True


def _refuse_in_vain(study: Study, sitting: Sitting) -> None:
    """Nobody reads and agrees for nothing: without items that are theirs, or may become so, they are told at once."""
    try:
        draw_targets(study, sitting.annotator)
    except NothingLeft:
        if not _arrival(study, sitting).may_come_free(study.sittings.with_items_for(sitting.annotator_id)):
            raise


def _take_up(sitting: Sitting, now: datetime, *, instructed: bool = False) -> Sitting:
    """Go on with an unfinished sitting, under the study's lock. After a lapse, take back the slots that are still free.

    `instructed`: the page they come from shows the instructions. Raises TooManyAtOnce where none is free, and some may
    be within minutes.
    """
    sitting = (
        Sitting.objects.select_for_update(of=("self",), no_key=True)
        .select_related("study", "annotator", "link")
        .get(pk=sitting.pk)
    )
    # It may have been begun by a server from before there were numbers.
    AnnotatorNumber.objects.give(sitting.study_id, [sitting.annotator_id])
    if not sitting.holds_items:
        return sitting
    if sitting.state == Sitting.State.LAPSED:
        # Nobody gives way where nothing can be taken back.
        with suppress(LinkFull, NothingLeft), transaction.atomic():
            _take_back(sitting.study, sitting)
        sitting.state = Sitting.State.ACTIVE
        sitting.is_here(now)
    sitting.lease_expires_at = sitting.lease_until()
    if instructed:
        sitting.instructed_at = now
    sitting.save(update_fields=["state", "lease_expires_at", "instructed_at", "active_at", "gave_sign"])
    if sitting.current() is None and sitting.explaining is None:
        _finish(sitting.study, sitting)
        sitting.refresh_from_db()
    return sitting


def _take_back(study: Study, sitting: Sitting) -> None:
    """The slots that a lapse reopened, as far as they are free; of somebody who is idle for long, where none is.

    Without a target nothing is taken back: checks and practice alone are no work. Raises LinkFull and NothingLeft.
    """
    if sitting.link is not None:
        try:
            _make_room(study, sitting, refuse_without_place)
        except TooManyAtOnce:
            raise _gone_for_now(sitting) from None
        if not sitting.has_answered:
            _make_room(study, sitting, refuse_crowd)
    released = sitting.assignments.filter(state=Assignment.State.RELEASED)
    targets = released.filter(item__kind=Item.Kind.TARGET)
    if not _reserve_again(study, targets) and targets.exists():
        others = _others(study, sitting).holding(targets)
        idle = _arrival(study, sitting).evictable(others).first()
        if idle is None or not _give_way(study, idle) or not _reserve_again(study, targets):
            if _arrival(study, sitting).may_come_free(others):
                raise _gone_for_now(sitting)
            raise NothingLeft
    _reserve_again(study, released)


def _gone_for_now(sitting: Sitting) -> TooManyAtOnce:
    return ItemsElsewhere() if sitting.has_answered else TooManyAtOnce()


def _reserve_again(study: Study, released: "QuerySet[Assignment]") -> bool:
    """Whether any slot was free."""
    found = False
    for assignment in released.select_related("item"):
        if assignment.item.take_slot():
            _present_again(study, assignment)
            assignment.state = Assignment.State.RESERVED
            assignment.save(update_fields=["state", "presentation"])
            found = True
    return found


def _present_again(study: Study, assignment: Assignment) -> None:
    """Where orders are balanced, others have taken some meanwhile. What was seen stays as it was seen."""
    taken = taken_orders(study, [assignment.item])
    if taken and assignment.shown_at is None:
        assignment.presentation = presentation(study, assignment.item, random.Random(), taken)


def _release_lapsed_of(study: Study) -> int:
    """Under the study's lock: lapse every active sitting whose lease has run out."""
    expired = study.sittings.select_for_update(no_key=True).overdue()
    for sitting in (found := list(expired.order_by("pk"))):
        _lapse(study, sitting)
    return len(found)


def _lapse(study: Study, sitting: Sitting) -> None:
    """It holds nothing any more; one that has nothing left to answer has ended."""
    if sitting.current() is None:
        _finish(study, sitting)
        return
    exclusion.give_back(study, sitting.assignments.filter(state=Assignment.State.RESERVED))
    sitting.state = Sitting.State.LAPSED
    sitting.save(update_fields=["state"])
    exclusion.apply_policy(study, sitting.annotator)


def _finish(study: Study, sitting: Sitting, outcome: Outcome = Outcome.COMPLETED) -> None:
    mine = Sitting.objects.filter(pk=sitting.pk)
    # An answer to it may be on its way, which holds this row.
    if mine.select_for_update(no_key=True).get().is_over:
        return
    if outcome is Outcome.COMPLETED:
        # First, since a verdict ends the sitting with an outcome of its own.
        exclusion.apply_policy(study, sitting.annotator)
        if sitting.assignments.filter(state=Assignment.State.RELEASED).exists():
            outcome = Outcome.TOO_LATE
        if (following := after_items(study, sitting.annotator)) is not None:
            mine.update(stage=following)
    exclusion.give_back(study, sitting.assignments.filter(state=Assignment.State.RESERVED))
    end_sittings(mine, study.pk, outcome)
