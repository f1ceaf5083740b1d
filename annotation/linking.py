"""The addresses that annotators are given: making one, and taking one back."""

from datetime import datetime

from django.utils import timezone

from annotation.models import Study, StudyLink


def make_link(study: Study, *, name: str = "", expires_at: datetime | None = None) -> StudyLink:
    """One more address for the study, until it expires."""
    return StudyLink.objects.create(study=study, name=name, expires_at=expires_at)


def revoke(link: StudyLink) -> None:
    """Let nobody start by this link any more. Sittings under way go on; a link that has expired stays as it is."""
    now = timezone.now()
    if not link.has_expired(now):
        link.expires_at = now
        link.save(update_fields=["expires_at"])
