"""Consent: what somebody decided about which text. Whoever declines has ended, and holds no items."""

from django.db import transaction
from django.utils.translation import gettext

from annotation.assignment import finish
from annotation.models import Consent, ConsentVersion, Sitting, Study
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms.contract import Outcome
from annotation.stages.walking import NotHere, advance


def decide(sitting: Sitting, *, agreed: bool, version: str) -> None:
    """Store the decision about the text of this version, and go on, or end. The same decision again changes nothing.

    Raises NotHere where the text has changed meanwhile, or something else was decided before.
    """
    with transaction.atomic():
        # The lock of all that ends a sitting, so that a decision and its end are there together.
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        before = Consent.objects.filter(sitting=sitting).first()
        if before is not None:
            if before.agreed != agreed:
                raise NotHere(gettext("You have decided already, so nothing was changed. You may stop at any time."))
            return
        sitting = study.sittings.select_related("study", "annotator").get(pk=sitting.pk)
        if sitting.stage != Stage.CONSENT or sitting.is_over:
            raise NotHere(gettext("There is nothing to agree to here any more, so nothing was changed."))
        if study.path.consent is None or study.path.consent.version != version:
            raise NotHere(gettext("This text has changed since you opened the page. Please read it once more."))
        text = ConsentVersion.objects.get(study=study, version=version)
        Consent.objects.create(sitting=sitting, version=text, agreed=agreed)
        if agreed:
            advance(sitting, past=Stage.CONSENT)
        else:
            finish(sitting, Outcome.NO_CONSENT)
