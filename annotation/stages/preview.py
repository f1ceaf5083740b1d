"""A study as somebody would find it who came now: for as long as a page is drawn, and nothing of it is stored.

Whatever is done in such a block is done by the flows themselves, and is gone when the block ends. The sitting is the
same each time, with the same items in the same order, so that one can walk from page to page.
"""

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.arrival.refusals import CannotStart
from annotation.models import (
    Annotator,
    Assignment,
    ComprehensionTry,
    Item,
    Judgment,
    PlatformId,
    QuestionnaireAnswers,
    Sitting,
    Study,
)
from annotation.models.assignment import AssignmentQuerySet
from annotation.models.sitting import HOLDING
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms import Outcome
from annotation.recording import record
from annotation.stages.items import offer

# What stands for a platform's ids, and for the sitting's own code.
PREVIEW = "PREVIEW"
# For so long every item was read, so that no rule of the quality policy finds it quick.
READ_FOR = timedelta(minutes=1)
# Of a complete study so many items are looked at: of those that share a source, one is shown.
MOST_LOOKED_AT = 200


@contextmanager
def sitting_at(study: Study, stage: Stage, *, outcome: Outcome = Outcome.COMPLETED) -> Iterator[Sitting]:
    """A sitting at that stage; at the end of the block it has never been there, and its items are free as before.

    Behind the items it has ended with that outcome. Raises NothingLeft where there is no item to show.
    """
    with transaction.atomic():
        try:
            study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
            study.state, study.opened_at = Study.State.OPEN, study.opened_at or timezone.now()
            study.archived_at, study.population = None, Study.Population.NOBODY
            study.save(update_fields=["state", "opened_at", "archived_at", "population"])
            _want_one_more(study)
            yield _sitting(study, stage, outcome)
        finally:
            transaction.set_rollback(True)


def _want_one_more(study: Study) -> None:
    """A study that has all its labels would show no item; one label more is wanted of as many as a sitting takes."""
    targets = study.items.targets()
    if not targets.filter(need__gt=0).exists():
        some = targets.order_by("position").values_list("pk", flat=True)[: max(MOST_LOOKED_AT, study.sitting_length)]
        targets.filter(pk__in=list(some)).update(target=F("counted") + F("reserved") + 1)


def token_of(study: Study) -> str:
    """That of the sitting. It is what its items are drawn and ordered by, so they are the same each time."""
    return f"preview-{study.pk}"


def is_preview(sitting: Sitting) -> bool:
    return sitting.token == token_of(sitting.study)


def _sitting(study: Study, stage: Stage, outcome: Outcome) -> Sitting:
    annotator = Annotator.objects.create(platform="preview", external_id=secrets.token_hex(16))
    PlatformId.objects.create(study=study, annotator=annotator, value=PREVIEW)
    sitting = Sitting(
        study=study,
        annotator=annotator,
        token=token_of(study),
        stage=stage,
        completion_code=PREVIEW,
        platform_session=PREVIEW,
        instructions_version=study.instructions_version,
    )
    sitting.lease_expires_at = sitting.lease_until()
    if stage in HOLDING:
        offer(study, sitting)
        return sitting
    sitting.save()
    if stage in (Stage.QUESTIONNAIRE, Stage.DEBRIEFING, Stage.END):
        _end(study, sitting, outcome)
    return sitting


def _end(study: Study, sitting: Sitting, outcome: Outcome) -> None:
    """With all of its items answered, where that is how it ends and there are some."""
    stage = sitting.stage
    if outcome in (Outcome.COMPLETED, Outcome.FAILED_CHECKS):
        with suppress(CannotStart):
            offer(study, sitting)
            _answer(sitting, sitting.assignments.all())
    sitting.stage, sitting.state, sitting.outcome = stage, Sitting.State.FINISHED, outcome.value
    sitting.finished_at = timezone.now()
    sitting.save()
    if stage == Stage.DEBRIEFING and study.path.questionnaire:
        QuestionnaireAnswers.objects.create(sitting=sitting, answers={})


def places(sitting: Sitting) -> dict[str, int]:
    """Where in the sitting items are: every one for practice, the first of each other kind, and the last target."""
    found: dict[str, int] = {}
    for position, kind in sitting.assignments.order_by("position").values_list("position", "item__kind"):
        if kind == Item.Kind.PRACTICE:
            found[practice_name(position)] = position
            continue
        if kind == Item.Kind.TARGET and kind in found:
            found["last"] = position
        found.setdefault(kind, position)
    return found


def practice_name(number: int) -> str:
    return "practice" if number == 1 else f"practice-{number}"


def places_of(study: Study) -> dict[str, int]:
    """Where items are in a sitting that would begin now; empty where it would get none."""
    try:
        with sitting_at(study, Stage.ITEMS) as sitting:
            return places(sitting)
    except CannotStart:
        return {}


def reach(sitting: Sitting, position: int) -> Assignment:
    """As if everything before it had been answered, and it had been read by now."""
    _answer(sitting, sitting.assignments.filter(position__lt=position))
    if position > sitting.practice_items and sitting.stage != Stage.ITEMS:
        sitting.stage = Stage.ITEMS
        sitting.save(update_fields=["stage"])
    found = sitting.assignments.select_related("item").get(position=position)
    found.shown_at = timezone.now() - READ_FOR
    found.save(update_fields=["shown_at"])
    return found


def _answer(sitting: Sitting, assignments: AssignmentQuerySet) -> None:
    """As an attentive person would, by the reference; as surplus, which counts in no tally."""
    now, rng = timezone.now(), random.Random(sitting.token)
    waiting = list(assignments.filter(state=Assignment.State.RESERVED).select_related("item"))
    Judgment.objects.bulk_create(
        Judgment(
            assignment=one,
            answer=one.item.reference or rng.choice(one.presentation["order"]),
            answered_at=now,
            response_ms=READ_FOR // timedelta(milliseconds=1),
        )
        for one in waiting
    )
    assignments.filter(pk__in=[one.pk for one in waiting]).update(
        state=Assignment.State.SURPLUS, shown_at=now - READ_FOR
    )


def answer_practice(sitting: Sitting, position: int, answer: str) -> None:
    """Answer a practice item so; with something that was not on the page, as its reference does not say."""
    found = reach(sitting, position)
    task = sitting.study.task
    values = [option.value for option in task.page_context(found.item.content, found.presentation)["options"]]
    if answer not in values:
        answer = next(one for one in values if task.parse(one, found.presentation) != found.item.reference)
    record(sitting, position, answer)
    sitting.refresh_from_db()


def fail_comprehension(sitting: Sitting) -> None:
    """All tries but the last, with the first question wrong."""
    asked = sitting.study.path.comprehension
    assert asked is not None, "only such a study has this page"
    first = asked.questions[0]
    wrong = next(option for option in first.options if option != first.answer)
    answers = [
        {"question": one.question, "right": one.answer, "given": wrong if one is first else one.answer}
        for one in asked.questions
    ]
    ComprehensionTry.objects.create(sitting=sitting, number=asked.tries - 1, answers=answers, passed=False)
