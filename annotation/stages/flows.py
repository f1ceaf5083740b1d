"""From one stage to the next: what is stored at each, and where it leads.

Whoever declines to take part has ended, and holds no items; whoever fails the comprehension questions is screened out,
never rejected. The questionnaire is answered once, and open to change until the debriefing is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from annotation.assignment import finish, reach_items
from annotation.models import (
    Assignment,
    ComprehensionTry,
    Consent,
    ConsentVersion,
    QuestionnaireAnswers,
    Sitting,
    Study,
)
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms import Outcome
from annotation.stages.declared import Comprehension
from annotation.stages.order import gate_after

NOT_YOURS = gettext_noop("That is not your current page, so nothing was changed. Here is the current one.")


class NotHere(Exception):
    """What was sent does not belong to where the sitting is. str() is a sentence; nothing was stored."""


def refuse_elsewhere(sitting: Sitting, *stages: Stage) -> None:
    """Raises NotHere, unless the sitting is at one of these: before anybody is told what is wrong with an answer.

    A gate that has ended the sitting is no place to be at; behind the items, the sitting has ended by itself.
    """
    has_ended = sitting.is_over and sitting.stage not in (Stage.QUESTIONNAIRE, Stage.DEBRIEFING)
    if has_ended or sitting.stage not in stages:
        raise NotHere(gettext(NOT_YOURS))


def advance(sitting: Sitting, *, past: Stage) -> Sitting:
    """On from a stage before the items, unless the sitting has gone on already. Raises what `reach_items` raises."""
    following = gate_after(sitting.study, sitting.annotator, past)
    if following is None:
        return reach_items(sitting)
    here = Sitting.objects.filter(pk=sitting.pk, stage=past).exclude(state=Sitting.State.FINISHED)
    here.update(stage=following)
    sitting.refresh_from_db()
    return sitting


def decide_consent(sitting: Sitting, *, agreed: bool, version: str) -> None:
    """Store the decision about the text of this version, and go on, or end. The same decision again changes nothing.

    Raises NotHere where the text has changed meanwhile, or something else was decided before.
    """
    with transaction.atomic():
        # The lock of all that ends a sitting, so that a decision and its end are there together.
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        before = Consent.objects.filter(sitting=sitting).first()
        if before is not None:
            if before.agreed != agreed:
                raise NotHere(gettext("You have already decided, so nothing was changed. You may stop at any time."))
            return
        sitting = study.sittings.select_related("study", "annotator").get(pk=sitting.pk)
        if sitting.stage != Stage.CONSENT or sitting.is_over:
            raise NotHere(gettext("This study no longer asks for your consent, so nothing was changed."))
        if study.path.consent is None or study.path.consent.version != version:
            raise NotHere(gettext("This text has changed since you opened the page. Please read it again."))
        text = ConsentVersion.objects.get(study=study, version=version)
        Consent.objects.create(sitting=sitting, version=text, agreed=agreed)
        if agreed:
            advance(sitting, past=Stage.CONSENT)
        else:
            finish(sitting, Outcome.NO_CONSENT)


def read_instructions(sitting: Sitting) -> Sitting:
    """They have been read: before the items for the first time, or again after a time away."""
    if sitting.stage == Stage.INSTRUCTIONS and not sitting.is_over:
        return advance(sitting, past=Stage.INSTRUCTIONS)
    if sitting.holds_items:
        sitting.instructed_at = now = timezone.now()
        sitting.is_here(now)
        sitting.save(update_fields=["instructed_at", "active_at", "gave_sign"])
    return sitting


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody is: the number of the try before them, and whether one has passed."""

    number: int
    tries: int
    last: ComprehensionTry | None

    @property
    def passed(self) -> bool:
        return self.last is not None and self.last.passed

    @property
    def is_last(self) -> bool:
        return self.number >= self.tries

    def earlier_answer(self, question: str) -> str:
        """What was answered to this question in the try before; empty where it was not asked."""
        answers = self.last.answers if self.last is not None else []
        return next((one["given"] for one in answers if one["question"] == question), "")


def standing(sitting: Sitting, asked: Comprehension) -> Standing:
    last = sitting.comprehension.last()
    return Standing((last.number if last else 0) + 1, asked.tries, last)


def try_comprehension(sitting: Sitting, asked: Comprehension, number: int, given: Sequence[str]) -> None:
    """Store the try of this number, and go on, or end behind the last. The same try sent twice is one.

    `given` are the answers in the order of the questions. Raises NotHere, and what `reach_items` raises: then the try
    is stored, and nobody has to answer again.
    """
    with transaction.atomic():
        row = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        if row.stage != Stage.COMPREHENSION or row.is_over:
            if row.comprehension.filter(number=number).exists():
                # Sent again, since the reply was lost.
                return
            raise NotHere(gettext("You have already passed these questions, so nothing was changed."))
        now = standing(row, asked)
        if number == now.number and not now.passed and number <= asked.tries:
            _store_try(row, asked, number, given)
    leave_comprehension(sitting, asked)


def leave_comprehension(sitting: Sitting, asked: Comprehension) -> None:
    """On from the questions, if they were answered right; to the end, if there is no try left."""
    now = standing(sitting, asked)
    if now.passed:
        advance(sitting, past=Stage.COMPREHENSION)
    elif now.number > asked.tries:
        finish(sitting, Outcome.SCREENED_OUT)


def _store_try(sitting: Sitting, asked: Comprehension, number: int, given: Sequence[str]) -> None:
    answers = [
        {"question": one.question, "right": one.answer, "given": answer}
        for one, answer in zip(asked.questions, given, strict=True)
    ]
    passed = all(one["right"] == one["given"] for one in answers)
    ComprehensionTry.objects.create(sitting=sitting, number=number, answers=answers, passed=passed)


def practice_answered(sitting: Sitting, found: Assignment) -> None:
    """A practice item was answered: its feedback comes next, if it has any. Synthetic annotators read nothing.

    The caller has locked the sitting, and saves it.
    """
    has_feedback = sitting.study.path.feedback and found.item.has_feedback
    sitting.explaining = found.position if has_feedback and not sitting.annotator.is_synthetic else None
    _begin_items(sitting)


def leave_feedback(sitting: Sitting, position: int) -> None:
    """On from the feedback on the practice item at `position`; behind the last one, the items begin."""
    with transaction.atomic():
        locked = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        if locked.explaining != position:
            return
        locked.explaining = None
        _begin_items(locked)
        locked.save(update_fields=["explaining", "stage"])


def _begin_items(sitting: Sitting) -> None:
    current = sitting.current()
    if sitting.explaining is None and (current is None or current.position > sitting.practice_items):
        sitting.stage = Sitting.Stage.ITEMS


def store_questionnaire(sitting: Sitting, answers: Mapping[str, str]) -> None:
    """Store the answers by field, those that were given, and go on. Raises NotHere once it is too late."""
    with transaction.atomic():
        row = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        given = {name: answer for name, answer in answers.items() if answer}
        if row.stage not in (Stage.QUESTIONNAIRE, Stage.DEBRIEFING):
            if QuestionnaireAnswers.objects.filter(sitting=row, answers=given).exists():
                # Sent again, since the reply was lost.
                return
            raise NotHere(gettext("These questions can no longer be answered, so nothing was changed."))
        QuestionnaireAnswers.objects.update_or_create(sitting=row, defaults={"answers": given})
        row.stage = Stage.DEBRIEFING if sitting.study.path.debriefing else Stage.END
        row.save(update_fields=["stage"])


def questionnaire_answers(sitting: Sitting) -> dict[str, str]:
    """By field; empty before anything was answered."""
    stored = QuestionnaireAnswers.objects.filter(sitting=sitting).first()
    return dict(stored.answers) if stored is not None else {}


def leave_debriefing(sitting: Sitting) -> None:
    Sitting.objects.filter(pk=sitting.pk, stage=Stage.DEBRIEFING).update(stage=Stage.END)
