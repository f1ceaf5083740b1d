"""Recording an answer: parse, store and advance in one transaction, then end the sitting if that was all.

The same submit may come twice: after a lost line a page sends an answer again, whether or not it had arrived. What
somebody reports of an item is stored beside the answer, which it neither is nor waits for.
"""

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext

from annotation import assignment as assigning
from annotation.arrival.refusals import TooManyAtOnce
from annotation.models import CANNOT_JUDGE, Assignment, Exclusion, ItemReport, Judgment, Revision, Sitting, Study
from annotation.models.assignment import Answer, Steps
from annotation.models.prepared import Prepared
from annotation.quality import exclusion
from annotation.stages import flows
from annotation.tasktypes.contract import AnswerError

# The page's part is made by the server. Behind the dot a script says which of the choices made on that page it is.
SENT = re.compile(r"(?P<page>[\w-]{11})(?:\.(?P<choice>\d{1,4}))?", re.ASCII)
# A clock that runs for longer than a day says nothing about the item.
LONGEST_RESPONSE_MS = 86_400_000
# Of a sitting, what an answer may change.
RENEWED = [
    "last_answer_at", "has_answered", "active_at", "gave_sign", "lease_expires_at", "instructed_at", "explaining",
    "stage",
]  # fmt: skip
LOCKED = Prepared(
    lambda sitting: (
        Sitting.objects.select_for_update(of=("self",), no_key=True)
        .annotate(study_state=F("study__state"))
        .filter(pk=sitting)
    )
)
WITH_ANSWER = Prepared(
    lambda sitting, position: Assignment.objects.select_related("judgment").filter(sitting=sitting, position=position)
)


class Refused(Exception):
    """Why an answer was not taken. str() is a sentence for the annotator; nothing was stored."""


class StudyClosed(Refused):
    pass


class SittingOver(Refused):
    pass


class NotThisItem(Refused):
    pass


@dataclass(frozen=True, slots=True)
class Recorded:
    """`changed`: False for the same answer again; `finished`: no item is left; `sitting` and `steps` are as now."""

    changed: bool
    finished: bool
    sitting: Sitting
    steps: Steps


def record(
    sitting: Sitting,
    position: int,
    answer: str | None,
    *,
    response_ms: int | None = None,
    hidden_ms: int | None = None,
    submission: str = "",
    shows_next: bool = False,
) -> Recorded:
    """Store the answer to the item at `position`, committed when this returns; None: it cannot be judged.

    The current item and the one before it may be answered, and any that was shown before its slot went to someone
    else, even where that ended the sitting. A submit that has come before changes nothing, whatever came after it.
    Raises Refused (StudyClosed, SittingOver, NotThisItem) or AnswerError for an answer that was not among those shown;
    then nothing has changed. `shows_next`: the page that answers shows the item that comes next, which is stamped in
    the same commit: a second one would wait for the disk once more.
    """
    sitting = _resumed(sitting)
    with transaction.atomic():
        sitting = _locked(sitting)
        steps = sitting.steps()
        found = _at(sitting, position)
        times = {"response_ms": _plausible(response_ms), "hidden_ms": _plausible(hidden_ms)}
        value = _parsed(sitting.study, answer, found)
        given = Judgment(answer=value, answered_at=timezone.now(), submission=submission, **times)
        if found.is_answered and has_come(found.judgment, given):
            return Recorded(False, sitting.is_over, sitting, steps)
        _refuse_if_not_now(sitting, found, steps)
        if not found.is_answered:
            sitting.has_taken_step(given.answered_at, item=position > sitting.practice_items)
        _store(found, given)
        steps = steps.with_state(position, found.state)
        if position <= sitting.practice_items:
            flows.practice_answered(sitting, found)
        _renew(sitting)
        if (following := steps.first(Assignment.State.RESERVED)) is not None:
            if shows_next and sitting.explaining is None and sitting.instructed_at is not None:
                sitting.assignments.filter(position=following).stamp_shown()
            return Recorded(True, False, sitting, steps)
    return _with_nothing_left(sitting, steps)


def _with_nothing_left(sitting: Sitting, steps: Steps) -> Recorded:
    """No item waits for an answer: it ends, unless it lapsed while the answer was on its way."""
    if sitting.state == Sitting.State.LAPSED:
        sitting = _resumed(sitting)
        return Recorded(True, sitting.is_over, sitting, sitting.steps())
    if sitting.is_over:  # Its end had come before this answer, and so had the verdict.
        exclusion.apply_policy(sitting.study, sitting.annotator)
    assigning.finish(sitting)
    return Recorded(True, True, sitting, steps)


def _resumed(sitting: Sitting) -> Sitting:
    """After a lapse, if it can be now. Takes the study's lock, so it cannot happen where an answer is stored."""
    if sitting.state != Sitting.State.LAPSED or sitting.study.state != Study.State.OPEN:
        return sitting
    with suppress(TooManyAtOnce):
        return assigning.resume(sitting)
    return sitting


def _at(sitting: Sitting, position: int) -> Assignment:
    """With its answer, if there is one. Raises NotThisItem."""
    found = WITH_ANSWER.first(sitting.pk, position)
    if found is None:
        raise NotThisItem(gettext("This batch has no such item. Here is your current item."))
    found.sitting = sitting
    return found


def _parsed(study: Study, answer: str | None, found: Assignment) -> str:
    if answer is not None:
        return study.task.parse(answer, found.presentation)
    if not study.cannot_judge:
        raise AnswerError(gettext("This study needs an answer to every item. Please choose one of the answers."))
    return CANNOT_JUDGE


def _locked(sitting: Sitting) -> Sitting:
    """Its row afresh; of the study, which has many columns and was read a moment ago, whether it is open now."""
    found = LOCKED.get(sitting.pk)
    found.study, found.annotator = sitting.study, sitting.annotator
    found.study.state = vars(found).pop("study_state")
    return found


def _refuse_if_not_now(sitting: Sitting, found: Assignment, steps: Steps) -> None:
    if sitting.study.state != Study.State.OPEN:
        raise StudyClosed(gettext("This study has closed. The answers you gave before are saved."))
    # Someone who was shown an item and came back after its slot had gone has still done the work.
    worked_on = found.state == Assignment.State.RELEASED and found.shown_at is not None
    if sitting.is_over and (not worked_on or _was_excluded(sitting)):
        raise SittingOver(gettext("This batch is finished, so its answers can no longer change."))
    if sitting.explaining is not None and found.position != sitting.explaining:
        raise NotThisItem(gettext("Here is the feedback on the previous item. Nothing else was changed."))
    open_now = (steps.first(Assignment.State.RESERVED), sitting.previous_position(steps))
    if found.position not in open_now and not worked_on:
        raise NotThisItem(gettext("That is not your current item, so nothing was changed. Here is the current one."))


def _was_excluded(sitting: Sitting) -> bool:
    """Whether a verdict ended the sitting: whoever passes one takes the sitting's lock, which the caller holds."""
    return Exclusion.objects.in_force().filter(study=sitting.study, annotator=sitting.annotator).exists()


def _store(found: Assignment, given: Judgment) -> None:
    if found.is_answered:
        _revise(found, given)
        return
    given.assignment = found
    given.save()
    _take(found, given.answer)


def _take(found: Assignment, value: str) -> None:
    """A label counts if there is room; of what cannot be judged, the slot is free for somebody else."""
    item, holds = found.item_for_update(), found.state == Assignment.State.RESERVED
    if value != CANNOT_JUDGE:
        counts = item.take_label(value, from_slot=holds)
        aside = Assignment.State.DROPPED if item.is_dropped else Assignment.State.SURPLUS
        found.state = Assignment.State.COUNTED if counts else aside
    else:
        if holds:
            item.release_slot()
        found.state = Assignment.State.DECLINED
    found.save(update_fields=["state"])
    if value == CANNOT_JUDGE:
        exclusion.count_surplus(found.sitting.study, {item.pk})


def _revise(found: Assignment, given: Judgment) -> None:
    judgment = found.judgment
    names = [field.name for field in Answer._meta.fields]
    before = {name: getattr(judgment, name) for name in names}
    Revision.objects.create(judgment=judgment, replaced_at=given.answered_at, **before)
    item = found.item_for_update()
    # Under the item's lock: it may have been dropped, and its labels set aside, while this answer was on its way.
    found.refresh_from_db(fields=["state"])
    counted = found.state == Assignment.State.COUNTED
    if counted:
        item.discount(judgment.answer)
    if counted or CANNOT_JUDGE in (judgment.answer, given.answer):
        _take(found, given.answer)
    for name in names:
        setattr(judgment, name, getattr(given, name))
    judgment.save()


def _renew(sitting: Sitting) -> None:
    now = timezone.now()
    if sitting.needs_instructions(now):
        # Away for long, and back with an answer: the instructions come before the next item.
        sitting.instructed_at = None
    sitting.last_answer_at = now
    sitting.lease_expires_at = sitting.lease_until()
    sitting.save(update_fields=RENEWED)


def _plausible(milliseconds: int | None) -> int | None:
    """The browser's clock, unless it cannot be one."""
    return milliseconds if milliseconds is not None and 0 <= milliseconds <= LONGEST_RESPONSE_MS else None


def submission_of_page() -> str:
    """For one showing of one item."""
    return secrets.token_urlsafe(8)


def is_submission(text: str) -> bool:
    return SENT.fullmatch(text) is not None


def has_come(current: Judgment, given: Judgment) -> bool:
    """Whether the answer stands already, its submit was taken before, or a later choice on the same page was.

    Without a script, choices on one page are not numbered, and the last that comes is the last that was made.
    """
    page, choice = _parts(given.submission)
    if current.answer == given.answer:
        return True
    if not page:
        return False
    current_page, current_choice = _parts(current.submission)
    if page == current_page:
        return choice < current_choice
    for replaced in current.revisions.filter(submission__startswith=page):
        _, before = _parts(replaced.submission)
        if choice < before or (choice == before and given.answer == replaced.answer):
            return True
    return False


def _parts(submission: str) -> tuple[str, int]:
    found = SENT.fullmatch(submission)
    return (found["page"], int(found["choice"] or 0)) if found else ("", 0)


class CannotReport(Exception):
    """Nothing was stored: the study takes no reports, or the item was not shown in this sitting."""


def report(sitting: Sitting, position: int, text: str) -> Assignment:
    """Store what somebody says of the item that was shown to them at `position`, in place of what they said before."""
    with transaction.atomic():
        locked = Sitting.objects.select_for_update(of=("self",), no_key=True).select_related("study")
        sitting = locked.get(pk=sitting.pk)
        shown = sitting.assignments.exclude(shown_at=None).select_related("item")
        found = shown.filter(position=position).first()
        is_open = sitting.study.state == Study.State.OPEN and not sitting.is_over
        if found is None or not is_open or not sitting.study.report_problem:
            raise CannotReport
        ItemReport.objects.update_or_create(sitting=sitting, item=found.item, defaults={"text": text})
    return found


def reported(assignment: Assignment) -> str:
    """What was said of it in this sitting; empty: nothing."""
    said = ItemReport.objects.filter(sitting=assignment.sitting_id, item=assignment.item_id)
    return said.values_list("text", flat=True).first() or ""
