"""The addresses that annotators are given: making one, and taking one back."""

from datetime import datetime

from django.utils import timezone

from annotation.models import Study, StudyLink
from annotation.platforms import PLATFORMS


def make_link(
    study: Study, *, name: str = "", expires_at: datetime | None = None, max_starts: int | None = None
) -> StudyLink:
    """One more address for the study, until it expires or as many have begun by it as may."""
    return StudyLink.objects.create(study=study, name=name, expires_at=expires_at, max_starts=max_starts)


def filled_in_by_platform(study: Study) -> str:
    """What stands behind each of the study's links where it is given to its platform: ?, and what that fills in."""
    platform = PLATFORMS.get(study.platform)
    if platform is None or platform.placeholders is None:
        return ""
    names = (study.id_parameter, study.study_parameter, study.session_parameter)
    pairs = zip(names, platform.placeholders, strict=True)
    return "?" + "&".join(f"{name}={filled}" for name, filled in pairs if name)


def limit(link: StudyLink, max_starts: int | None) -> None:
    """How many may begin by this link from now on: None is what the study says, 0 any number."""
    link.max_starts = max_starts
    link.save(update_fields=["max_starts"])


def revoke(link: StudyLink) -> None:
    """Let nobody start by this link any more. Sittings under way go on; a link that has expired stays as it is."""
    now = timezone.now()
    if not link.has_expired(now):
        link.expires_at = now
        link.save(update_fields=["expires_at"])
