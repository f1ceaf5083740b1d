"""Putting a study aside, so that it stands in the list only where it is asked for, and taking it up again."""

from django.db import transaction
from django.utils import timezone

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study


class CannotArchive(ValueError):
    """Why nothing was changed. str() is a sentence."""


def archive(study: Study) -> None:
    """Nothing else about it changes. CannotArchive for one that is open, since people may come to it."""
    closed = Study.objects.filter(pk=study.pk).exclude(state=Study.State.OPEN)
    with transaction.atomic():
        if closed.filter(archived_at=None).update(archived_at=timezone.now()):
            record(study, Deed.ARCHIVED)
    study.refresh_from_db()
    if study.archived_at is None:
        raise CannotArchive(f"{study.title} is open, so that people can come to it. Close it first.")


def restore(study: Study) -> None:
    """Back into the list."""
    with transaction.atomic():
        if Study.objects.filter(pk=study.pk).exclude(archived_at=None).update(archived_at=None):
            record(study, Deed.RESTORED)
    study.refresh_from_db()
