"""Opening and closing a study. Opening fixes the quality policy for good."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.assignment import finish
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Sitting, Study
from annotation.platforms.contract import Outcome
from annotation.quality import exclusion
from annotation.quality.policy import fixed_hash


def open_study(study: Study) -> None:
    """Let annotators in; an archived study is in the list again. Open already: nothing changes."""
    found = Study.objects.filter(pk=study.pk).exclude(state=Study.State.OPEN)
    first: dict[str, Any] = {} if study.has_opened else {"opened_at": timezone.now(), "policy_hash": fixed_hash(study)}
    with transaction.atomic():
        if found.update(state=Study.State.OPEN, archived_at=None, **first):
            record(study, Deed.OPENED)
    study.refresh_from_db()


def close_study(study: Study) -> None:
    """Take no more answers. What was answered stays; sittings under way go on if the study opens again before they are
    told (`end_shut`)."""
    with transaction.atomic():
        if Study.objects.filter(pk=study.pk, state=Study.State.OPEN).update(state=Study.State.CLOSED):
            record(study, Deed.CLOSED)
    study.refresh_from_db()


def end_shut(sitting: Sitting) -> bool:
    """End a sitting that the study has closed on, as its annotator is told so: too late, unless a rule was broken.

    Not when the study closes: then a researcher who opens it again would have ended it for all who were at it. False
    where it is open again by now.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        if study.state == Study.State.OPEN:
            return False
        # Before any item is: an answer of theirs may hold it, and wait for one.
        Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        exclusion.apply_policy(study, sitting.annotator)
        finish(sitting, Outcome.TOO_LATE)
    return True
