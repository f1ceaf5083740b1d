"""Opening and closing a study. Opening fixes the quality policy for good."""

from django.utils import timezone

from annotation.models import Study
from annotation.quality.policy import fixed_hash


def open_study(study: Study) -> None:
    """Let annotators in. Open already: nothing changes."""
    found = Study.objects.filter(pk=study.pk).exclude(state=Study.State.OPEN)
    if study.has_opened:
        found.update(state=Study.State.OPEN)
    else:
        found.update(state=Study.State.OPEN, opened_at=timezone.now(), policy_hash=fixed_hash(study))
    study.refresh_from_db()


def close_study(study: Study) -> None:
    """Take no more answers. What was answered stays; sittings under way are told so."""
    Study.objects.filter(pk=study.pk, state=Study.State.OPEN).update(state=Study.State.CLOSED)
    study.refresh_from_db()
