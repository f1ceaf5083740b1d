"""A study as somebody would find it who came now: for as long as a page is drawn, and nothing of it is stored."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from annotation.models import Annotator, Sitting, Study, StudyLink
from annotation.models.sitting import HOLDING
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms.outcome import Outcome
from annotation.stages.items import offer


@contextmanager
def link_of(study: Study) -> Iterator[StudyLink]:
    """A link of the study, open to anybody. At the end of the block it has never been there."""
    with transaction.atomic():
        try:
            mine = Study.objects.filter(pk=study.pk)
            mine.update(state=Study.State.OPEN, opened_at=timezone.now(), id_required=False, signed_ids=False)
            yield StudyLink.objects.create(study=study)
        finally:
            transaction.set_rollback(True)


@contextmanager
def sitting_at(study: Study, stage: Stage) -> Iterator[Sitting]:
    """A sitting at that stage; at the end of the block it has never been there, and its items are free as before.

    Raises NothingLeft where there is no item to show.
    """
    with transaction.atomic():
        try:
            study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
            annotator = Annotator.objects.create(platform="preview", external_id=secrets.token_hex(16))
            sitting = Sitting(study=study, annotator=annotator, stage=stage, completion_code="PREVIEW")
            sitting.lease_expires_at = sitting.lease_until(timezone.now())
            if stage == Stage.END:
                sitting.state, sitting.outcome = Sitting.State.FINISHED, Outcome.COMPLETED.value
            if stage in HOLDING:
                offer(study, sitting)
                sitting.stage = stage
            else:
                sitting.save()
            yield sitting
        finally:
            transaction.set_rollback(True)
