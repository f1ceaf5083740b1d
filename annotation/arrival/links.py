"""The addresses that annotators are given: making one, and taking one back."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.audit.acts import Fact, record
from annotation.audit.deeds import Deed
from annotation.models import Study, StudyLink
from annotation.platforms import PLATFORMS


def make_link(
    study: Study, *, name: str = "", expires_at: datetime | None = None, max_starts: int | None = None
) -> StudyLink:
    """One more address for the study, until it expires or as many have begun by it as may."""
    with transaction.atomic():
        link = StudyLink.objects.create(study=study, name=name, expires_at=expires_at, max_starts=max_starts)
        _record(link, Deed.LINK_ADDED, {"expires": f"{expires_at:%Y-%m-%d %H:%M} UTC" if expires_at else "never"})
    return link


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
    with transaction.atomic():
        was = StudyLink.objects.select_for_update().get(pk=link.pk).max_starts
        link.max_starts = max_starts
        link.save(update_fields=["max_starts"])
        if was != max_starts:
            _record(link, Deed.LINK_LIMITED, {"starts": [_limit(was), _limit(max_starts)]})


def revoke(link: StudyLink) -> None:
    """Let nobody start by this link any more. Sittings under way go on; a link that has expired stays as it is."""
    now = timezone.now()
    if not link.has_expired(now):
        with transaction.atomic():
            link.expires_at = now
            link.save(update_fields=["expires_at"])
            _record(link, Deed.LINK_EXPIRED, {})


def _limit(starts: int | None) -> str | int:
    return "study default" if starts is None else starts or "no limit"


def _record(link: StudyLink, deed: Deed, facts: dict[str, Fact]) -> None:
    """By its number: its token lets people in."""
    record(link.study, deed, f"link {link.pk}", facts=facts, for_editors={"name": link.name} if link.name else {})
