"""From one stage to the next, where nothing is stored but the place."""

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from annotation.assignment import reach_items
from annotation.models import Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.stages.order import gate_after

NOT_YOURS = gettext_noop("That page is not the one you are at, so nothing was changed. Here is the current one.")


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


def read_instructions(sitting: Sitting) -> Sitting:
    """They have been read: before the items for the first time, or again after a time away."""
    if sitting.stage == Stage.INSTRUCTIONS and not sitting.is_over:
        return advance(sitting, past=Stage.INSTRUCTIONS)
    if sitting.holds_items:
        sitting.instructed_at = now = timezone.now()
        sitting.is_here(now)
        sitting.save(update_fields=["instructed_at", "active_at", "gave_sign"])
    return sitting


def leave_debriefing(sitting: Sitting) -> None:
    Sitting.objects.filter(pk=sitting.pk, stage=Stage.DEBRIEFING).update(stage=Stage.END)
