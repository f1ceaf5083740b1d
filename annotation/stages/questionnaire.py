"""The questionnaire: answered once, and open to change until the debriefing is left. The items are done before it."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext

from annotation.models import QuestionnaireAnswers, Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.stages.walking import NotHere


def store(sitting: Sitting, answers: Mapping[str, str]) -> None:
    """Store the answers by field, those that were given, and go on. Raises NotHere once it is too late."""
    with transaction.atomic():
        row = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        given = {name: answer for name, answer in answers.items() if answer}
        if row.stage not in (Stage.QUESTIONNAIRE, Stage.DEBRIEFING):
            if QuestionnaireAnswers.objects.filter(sitting=row, answers=given).exists():
                # Sent again, since the reply was lost.
                return
            raise NotHere(gettext("The questions are closed, so nothing was changed."))
        QuestionnaireAnswers.objects.update_or_create(sitting=row, defaults={"answers": given})
        row.stage = Stage.DEBRIEFING if sitting.study.path.debriefing else Stage.END
        row.save(update_fields=["stage"])


def given(sitting: Sitting) -> dict[str, str]:
    """By field; empty before anything was answered."""
    stored = QuestionnaireAnswers.objects.filter(sitting=sitting).first()
    return dict(stored.answers) if stored is not None else {}
