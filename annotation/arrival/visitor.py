"""Who opens a link: the platform's opaque id from the address, or an opaque id of our own; and in which browser."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from annotation.arrival.browser import Browser, browser_of
from annotation.arrival.device import device_of
from annotation.arrival.framing import submits_to
from annotation.arrival.ids import checked, filled
from annotation.arrival.known_by import known_by
from annotation.arrival.limits import origin_of
from annotation.arrival.refusals import NoId, UnsignedId
from annotation.arrival.signing import is_signed
from annotation.models import Annotator, PlatformId, Sitting, StudyLink
from annotation.models.sitting import Device
from annotation.platforms.contract import SIGNATURE

# The `platform` of annotators who came by the link alone.
BY_LINK = "link"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor, before they are an annotator: looking at the first page stores nothing.

    `origin`: the keyed hash of their internet address, or empty. `external_id` is what they came with, the platform's
    id or the browser's secret; nothing but PlatformId keeps it.
    """

    link: StudyLink
    browser: Browser
    platform: str
    external_id: str
    device: Device
    is_signed: bool
    platform_study: str
    platform_session: str
    submits_to: str
    origin: str

    def kept(self) -> dict[str, Any]:
        """What a sitting keeps of how somebody came."""
        return {
            "link": self.link,
            "browser": self.browser.key,
            "device": self.device,
            "origin": self.origin,
            **self.visit(),
        }

    def visit(self) -> dict[str, str]:
        """The platform's own words for it."""
        return {
            "platform_study": self.platform_study,
            "platform_session": self.platform_session,
            "submits_to": self.submits_to,
        }

    def annotator(self) -> Annotator:
        """The annotator's row, made if this is the first time. A platform's id is kept apart, until they are paid.

        The id's row is locked, so that it is not erased while the caller's transaction begins what it is needed for.
        """
        annotator, _ = Annotator.objects.get_or_create(platform=self.platform, external_id=self.known_by)
        if self.platform != BY_LINK:
            ids = PlatformId.objects.select_for_update(no_key=True)
            ids.get_or_create(study=self.link.study, annotator=annotator, defaults={"value": self.external_id})
        return annotator

    def known(self) -> Annotator | None:
        """The annotator's row, if they were ever here."""
        return Annotator.objects.filter(platform=self.platform, external_id=self.known_by).first()

    @property
    def known_by(self) -> str:
        return known_by(self.platform, self.external_id)

    def last_sitting(self) -> Sitting | None:
        """The latest of this id in the study, whoever holds it."""
        sittings = self.link.study.sittings.filter(
            annotator__platform=self.platform, annotator__external_id=self.known_by
        )
        return sittings.order_by("-started_at", "-pk").first()


def visitor_of(request: HttpRequest, link: StudyLink) -> Visitor:
    """By the platform's id in the query string, else by the browser alone. Raises BadId and its kinds."""
    study, browser, query = link.study, browser_of(request), request.GET
    given = query.get(study.id_parameter)
    if given is None and study.needs_id:
        raise NoId(study.id_parameter)
    platform, external_id = (BY_LINK, browser.secret) if given is None else (study.id_parameter, checked(study, given))
    signed = given is not None and is_signed(study, external_id, query.get(SIGNATURE, ""))
    if study.signed_ids and not signed:
        raise UnsignedId(study.id_parameter)
    return Visitor(
        link=link,
        browser=browser,
        platform=platform,
        external_id=external_id,
        device=device_of(request),
        is_signed=signed,
        platform_study=filled(query.get(study.study_parameter, "")),
        platform_session=filled(query.get(study.session_parameter, "")),
        submits_to=submits_to(study, query),
        origin=origin_of(request, study),
    )
