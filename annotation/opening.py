"""Opening and closing a study. Opening fixes the quality policy for good."""

from django.utils import timezone

from annotation.models import Study


def open_study(study: Study) -> None:
    """Let annotators in. Open already: nothing changes."""
    opened_at = study.opened_at or timezone.now()
    Study.objects.filter(pk=study.pk).exclude(state=Study.State.OPEN).update(
        state=Study.State.OPEN, opened_at=opened_at
    )
    study.refresh_from_db()


def close_study(study: Study) -> None:
    """Take no more answers. What was answered stays; sittings under way are told so."""
    Study.objects.filter(pk=study.pk, state=Study.State.OPEN).update(state=Study.State.CLOSED)
    study.refresh_from_db()
