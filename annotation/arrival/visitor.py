"""Who opens a link: the platform's opaque id from the address, or an opaque id of our own; and in which browser."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from annotation.arrival.browser import Browser, browser_of
from annotation.arrival.device import device_of
from annotation.arrival.refusals import BadId
from annotation.models import Annotator, Sitting, StudyLink
from annotation.models.sitting import Device

LONGEST_ID = 120
# The `platform` of annotators who came by the link alone.
BY_LINK = "link"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor, before they are an annotator: looking at the first page stores nothing."""

    link: StudyLink
    browser: Browser
    platform: str
    external_id: str
    device: Device

    def kept(self) -> dict[str, Any]:
        """What a sitting keeps of how somebody came."""
        return {"link": self.link, "browser": self.browser.key, "device": self.device}

    def annotator(self) -> Annotator:
        """The annotator's row, made if this is the first time."""
        return Annotator.objects.get_or_create(platform=self.platform, external_id=self.external_id)[0]

    def last_sitting(self) -> Sitting | None:
        """The latest of this id in the study, whoever holds it."""
        sittings = self.link.study.sittings.filter(
            annotator__platform=self.platform, annotator__external_id=self.external_id
        )
        return sittings.order_by("-started_at", "-pk").first()


def visitor_of(request: HttpRequest, link: StudyLink) -> Visitor:
    """By the platform's id in the query string, else by the browser alone. Raises BadId."""
    browser, parameter = browser_of(request), link.study.id_parameter
    given = request.GET.get(parameter)
    platform, external_id = (BY_LINK, browser.secret) if given is None else (parameter, _checked(given, parameter))
    return Visitor(link, browser, platform, external_id, device_of(request))


def _checked(given: str, parameter: str) -> str:
    given = given.strip()
    if not given or len(given) > LONGEST_ID or not given.isprintable():
        raise BadId(
            f"The address should carry your id after “{parameter}=”, but what stands there cannot be an id. "
            "Please open the study from the platform that sent you."
        )
    return given
