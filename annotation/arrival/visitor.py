"""Who opens a link: the platform's opaque id from the address, or an opaque id of our own; and in which browser.

A browser is 128 random bits of ours in a signed cookie, and nothing that it says of itself but three words: computer,
tablet or phone.

A personal link has an id with a signature that only this installation, or whom it gave the study's key, can make. The
signature is HMAC-SHA256 of the id under a key of the study's own, in hexadecimal digits, so that a panel that can sign
does it itself, with the key and nothing else.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from annotation.arrival.framing import submits_to
from annotation.arrival.id_pattern import LONGEST_ID, fits
from annotation.arrival.limits import origin_of
from annotation.arrival.refusals import BadId, NoId, UnfilledId, UnsignedId
from annotation.models import Annotator, PlatformId, Sitting, Study, StudyLink
from annotation.models.sitting import Device
from annotation.platforms import SIGNATURE

# What platforms put in place of an id that they have not filled in: {{%PROLIFIC_PID%}}, ${id}, [ID], <id>, %ID%.
MARKED = re.compile(r"[{}<>\[\]]|\$\w|%\w+%")
# What is one only as a whole, since ids have such signs within them: __ID__, #ID#; and what programs write for nothing.
NOTHING = re.compile(r"__\w+__|#\w+#|undefined|null|none|nan", re.IGNORECASE)
COOKIE = "annotator"
SALT = "annotation.annotator"
COOKIE_SECONDS = 365 * 24 * 60 * 60
# The `platform` of annotators who came by the link alone.
BY_LINK = "link"


def key_of(study: Study) -> str:
    return salted_hmac("annotation.personal_link", study.slug, algorithm="sha256").hexdigest()


def signature(study: Study, external_id: str) -> str:
    return hmac.new(key_of(study).encode(), external_id.encode(), "sha256").hexdigest()


def is_signed(study: Study, external_id: str, given: str) -> bool:
    return hmac.compare_digest(signature(study, external_id).encode(), given.encode())


def personal_address(link: StudyLink, external_id: str) -> str:
    """The link's path with the id and its signature."""
    query = {link.study.id_parameter: external_id, SIGNATURE: signature(link.study, external_id)}
    return f"{link.get_absolute_url()}?{urlencode(query)}"


@dataclass(frozen=True, slots=True)
class Browser:
    secret: str

    @property
    def key(self) -> str:
        """What a sitting keeps of it. The cookie cannot be made from this, also not from a copy of the database."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def remember(self, response: HttpResponseBase) -> None:
        response.set_signed_cookie(
            COOKIE,
            self.secret,
            salt=SALT,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


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

    def sitting_fields(self) -> dict[str, Any]:
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


def known_by(platform: str, given: str) -> str:
    """What an annotator is known by: a keyed hash of a platform's id, or of a browser's secret.

    The same id comes out the same for as long as the installation keeps its SECRET_KEY, so that somebody who has taken
    part is recognized also after the id itself was erased (annotation/privacy/); without the key nobody finds the id by
    trying all there could be.
    """
    return salted_hmac("annotation.known_by", f"{platform}/{given}", algorithm="sha256").hexdigest()


def checked(study: Study, given: str) -> str:
    """The id without spaces around it. Raises BadId, NoId or UnfilledId."""
    external_id, parameter = given.strip(), study.id_parameter
    if not external_id:
        raise NoId(parameter)
    if is_placeholder(external_id):
        raise UnfilledId(parameter)
    if not plain(external_id) or (study.id_pattern and not fits(study.id_pattern, external_id)):
        raise BadId(parameter)
    return external_id


def filled(given: str) -> str:
    """A platform's word beside the id, such as its session; empty for a placeholder, which is the same for all."""
    given = given.strip()
    return given if plain(given) and not is_placeholder(given) else ""


def is_placeholder(text: str) -> bool:
    """Whether all who come by it would come by the same: they would be one person."""
    return MARKED.search(text) is not None or NOTHING.fullmatch(text) is not None


def plain(text: str) -> bool:
    return len(text) <= LONGEST_ID and text.isprintable()


def known_browser(request: HttpRequest) -> Browser | None:
    """The browser that was here before; a cookie that we have not signed is none."""
    secret = request.get_signed_cookie(COOKIE, default=None, salt=SALT, max_age=COOKIE_SECONDS)
    return Browser(secret) if secret else None


def browser_of(request: HttpRequest) -> Browser:
    return known_browser(request) or Browser(secrets.token_urlsafe(16))


def device_of(request: HttpRequest) -> Device:
    """By what the browser calls itself. Nothing else of that is kept."""
    said = request.headers.get("User-Agent", "")
    if not said:
        return Device.UNKNOWN
    # Android tablets say Android without Mobile.
    if any(word in said for word in ("iPad", "Tablet")) or ("Android" in said and "Mobi" not in said):
        return Device.TABLET
    if "Mobi" in said or request.headers.get("Sec-CH-UA-Mobile") == "?1":
        return Device.PHONE
    return Device.COMPUTER if "Mozilla/" in said else Device.UNKNOWN
